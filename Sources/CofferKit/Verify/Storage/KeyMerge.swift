internal import CoreDataModel

/// Goes through the keys of a few runs in ascending order.
struct KeyMerge {
  private var cursors: ContiguousArray<KeyCursor> = []
  /// The cursor at the least key, and the least key of all others.
  private var least: KeyCursor?
  private var limit: Int64 = .min

  /// - Throws: `temporary-storage-failed`.
  init(_ runs: ArraySlice<KeyRun>, storage: KeyStorage) throws(CofferError) {
    for run in runs { cursors.append(try KeyCursor(run, storage: storage)) }
    choose()
  }

  /// The next key and its payload; nil after the last.
  ///
  /// - Throws: `temporary-storage-failed`.
  mutating func next() throws(CofferError) -> (key: Int64, entry: KeyDirectory.Entry)? {
    guard let cursor = least else { return nil }
    let result = (cursor.key, cursor.entry)
    try cursor.advance()
    if cursor.isAtEnd || cursor.key > limit { choose() }
    return result
  }

  /// Finds the cursor at the least key; there are so few that looking at all of them is quick.
  private mutating func choose() {
    least = nil
    limit = .max
    for cursor in cursors where !cursor.isAtEnd {
      guard let current = least else {
        least = cursor
        continue
      }
      if cursor.key < current.key {
        limit = current.key
        least = cursor
      } else {
        limit = min(limit, cursor.key)
      }
    }
  }
}
