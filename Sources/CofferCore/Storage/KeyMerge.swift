internal import CoreDataModel

/// Iterates over the keys of a few runs in ascending order.
struct KeyMerge {
  private var cursors: ContiguousArray<KeyCursor> = []
  /// The cursor at the lowest key, and the lowest key of all others.
  private var least: KeyCursor?
  private var limit: Int64 = .min

  init(_ runs: ArraySlice<KeyRun>, storage: KeyStorage) throws(CofferError) {
    for run in runs { cursors.append(try KeyCursor(run, storage: storage)) }
    choose()
  }

  /// The next key and its payload; nil after the last.
  mutating func next() throws(CofferError) -> (key: Int64, entry: KeyDirectory.Entry)? {
    guard let cursor = least else { return nil }
    let result = (cursor.key, cursor.entry)
    try cursor.advance()
    if cursor.isAtEnd || cursor.key > limit { choose() }
    return result
  }

  /// Finds the cursor at the lowest key.
  ///
  /// There are so few that a linear search is fast.
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

/// Iterates over the keys of one run.
@safe final class KeyCursor {
  private(set) var key: Int64 = 0
  /// Whether the cursor is after the last key.
  private(set) var isAtEnd = false

  private let run: KeyRun
  private let storage: KeyStorage
  private var blockIndex = -1
  private var block = KeyBlock.empty
  private var bytes: UnsafeRawPointer?
  private var index = 0
  private var buffer: UnsafeMutableRawPointer?

  /// Starts at the first key.
  init(_ run: KeyRun, storage: KeyStorage) throws(CofferError) {
    self.run = run
    self.storage = storage
    try advance()
  }

  deinit { unsafe buffer?.deallocate() }

  /// The payload of the current key.
  var entry: KeyDirectory.Entry { unsafe block.entry(at: index, in: bytes) }

  /// Moves to the next key.
  func advance() throws(CofferError) {
    index &+= 1
    if index >= block.count {
      guard blockIndex + 1 < run.blocks.count else { return isAtEnd = true }
      blockIndex += 1
      block = run.blocks[blockIndex]
      index = 0
      try load()
    }
    key = unsafe block.key(at: index, in: bytes)
  }

  /// Loads the bytes of the current block without the cache, which is for lookups.
  private func load() throws(CofferError) {
    switch block.place {
    case .nowhere: unsafe bytes = nil
    case .memory(let place): unsafe bytes = UnsafeRawPointer(place)
    case .file(let offset):
      let target = unsafe buffer ?? KeyStorage.allocateBlock()
      unsafe buffer = target
      try unsafe storage.read(block, at: offset, into: target)
      unsafe bytes = UnsafeRawPointer(target)
    }
  }
}

/// Blocks of a key directory whose keys ascend from block to block.
final class KeyRun {
  /// The blocks, ascending.
  private(set) var blocks: ContiguousArray<KeyBlock> = []
  /// The number of keys in the blocks.
  private(set) var count = 0

  private let storage: KeyStorage

  init(storage: KeyStorage) { self.storage = storage }

  deinit {
    for block in blocks { storage.release(block) }
  }

  /// Appends a block whose keys are higher than all previous ones.
  func append(_ block: KeyBlock) {
    count += block.count
    if let end = blocks.last, end.isUniform, block.isUniform,
      end.distance(to: block.first) == UInt64(end.count),
      end.entity == block.entity, end.version == block.version
    {
      // Both are only ranges, and one continues the other.
      blocks[blocks.count - 1].last = block.last
      blocks[blocks.count - 1].count += block.count
    } else {
      blocks.append(block)
      storage.countIndexed(block)
    }
  }

  /// The block whose key range contains a key; nil if there is none.
  func block(covering key: Int64) -> KeyBlock? {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low &+ high) &>> 1
      if blocks[middle].last < key { low = middle &+ 1 } else { high = middle }
    }
    guard low < blocks.count, blocks[low].first <= key else { return nil }
    return blocks[low]
  }
}
