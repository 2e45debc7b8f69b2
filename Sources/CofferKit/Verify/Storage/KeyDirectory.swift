internal import CoreDataModel

/// A compact directory of the primary keys of one table, each with a small payload.
///
/// Keys come in the order of the rows, which is nearly always ascending. They collect in an open
/// block. A full block is packed and appended to the last run of blocks, or starts another run if
/// keys of a damaged file are out of order. There are at most 16 runs: beyond that, runs of similar
/// length are merged, so that each key is moved only a few times in any order.
///
/// After an error, it can only look up keys.
final class KeyDirectory {
  /// The payload of a key.
  struct Entry: Sendable, Equatable {
    /// The index of the entity.
    var entity: UInt16
    /// The version counter.
    var version: UInt32
  }

  /// The number of keys.
  private(set) var count = 0
  /// The highest key; nil if there is none.
  var maximum: Int64? { count == 0 ? nil : greatest }
  /// The number of ascending runs of blocks.
  var runCount: Int { runs.count }

  private let storage: KeyStorage
  private let open = OpenKeyBlock()
  private var runs: ContiguousArray<KeyRun> = []
  private var greatest = Int64.min
  /// The block of the last key found in a run.
  private var hit = KeyBlock.empty

  private static let runLimit = 16

  /// - Parameter storage: the storage that the directories of one run share.
  init(storage: KeyStorage) { self.storage = storage }

  /// Adds a key.
  ///
  /// - Returns: false, without a change, if the key already exists.
  /// - Throws: `temporary-storage-failed`.
  func append(key: Int64, entity: UInt16, version: UInt32) throws(CofferError) -> Bool {
    let entry = Entry(entity: entity, version: version)
    if key > greatest, open.extend(key, entry) {
      greatest = key
      count &+= 1
      return true
    }
    return try insert(key, entry)
  }

  /// The payload of a key; nil if the key does not exist.
  ///
  /// - Throws: `temporary-storage-failed` if it cannot be read from the temporary file.
  func find(_ key: Int64) throws(CofferError) -> Entry? {
    if hit.covers(key), hit.isUniform { return Entry(entity: hit.entity, version: hit.version) }
    if let found = open.find(key) { return found }
    guard count > 0, key <= greatest else { return nil }
    return try search(key)
  }

  /// Closes the open block to save memory when no more keys are expected.
  ///
  /// More keys may still follow.
  ///
  /// - Throws: `temporary-storage-failed`.
  func finish() throws(CofferError) {
    if open.count > 0 { try closeBlock(isLast: true) }
  }

  /// Iterates over all keys in ascending order.
  ///
  /// The body may look up keys, but not append any.
  ///
  /// - Throws: errors from the body, and `temporary-storage-failed`.
  func forEach(_ body: (Int64, Entry) throws -> Void) throws {
    try finish()
    var merge = try KeyMerge(runs[...], storage: storage)
    while let next = try merge.next() { try body(next.key, next.entry) }
  }

  private func insert(_ key: Int64, _ entry: Entry) throws(CofferError) -> Bool {
    if count > 0, key <= greatest, try find(key) != nil { return false }
    if !open.extend(key, entry) {
      if !open.hasRoom { try closeBlock() }
      open.insert(key, entry)
    }
    greatest = max(greatest, key)
    count &+= 1
    return true
  }

  /// Looks up a key in the runs.
  ///
  /// The latest is the most likely one.
  private func search(_ key: Int64) throws(CofferError) -> Entry? {
    if hit.covers(key), let found = try look(up: key, in: hit) { return found }
    for run in runs.reversed() {
      if let block = run.block(covering: key), let found = try look(up: key, in: block) {
        hit = block
        return found
      }
    }
    return nil
  }

  private func look(up key: Int64, in block: KeyBlock) throws(CofferError) -> Entry? {
    unsafe block.find(key, in: try storage.bytes(of: block))
  }
}

extension KeyDirectory {
  /// Packs the open block and appends it to the runs.
  private func closeBlock(isLast: Bool = false) throws(CofferError) {
    let block = try open.close(into: storage, isLast: isLast)
    if let run = runs.last, let end = run.blocks.last, end.last < block.first {
      return run.append(block)
    }
    let run = KeyRun(storage: storage)
    run.append(block)
    runs.append(run)
    if runs.count > Self.runLimit { try mergeRuns() }
  }

  /// Merges at least two of the last runs: those that are not longer than all later ones together.
  private func mergeRuns() throws(CofferError) {
    var start = runs.count - 2
    var later = 0
    for index in runs.indices.reversed() {
      if index < start, runs[index].count <= later { start = index }
      later += runs[index].count
    }
    var merge = try KeyMerge(runs[start...], storage: storage)
    let result = KeyRun(storage: storage)
    let block = OpenKeyBlock()
    while let next = try merge.next() {
      if block.extend(next.key, next.entry) { continue }
      if !block.hasRoom { result.append(try block.close(into: storage)) }
      block.insert(next.key, next.entry)
    }
    result.append(try block.close(into: storage))
    hit = .empty
    runs.removeSubrange(start...)
    runs.append(result)
  }
}
