internal import CoreDataModel

/// Goes through the keys of one run.
@safe final class KeyCursor {
  /// The current key.
  private(set) var key: Int64 = 0
  /// Whether all keys were passed.
  private(set) var isAtEnd = false

  private let run: KeyRun
  private let storage: KeyStorage
  private var blockIndex = -1
  private var block = KeyBlock.empty
  private var bytes: UnsafeRawPointer?
  private var index = 0
  private var buffer: UnsafeMutableRawPointer?

  /// Begins at the first key.
  ///
  /// - Throws: `temporary-storage-failed`.
  init(_ run: KeyRun, storage: KeyStorage) throws(CofferError) {
    self.run = run
    self.storage = storage
    try advance()
  }

  deinit { unsafe buffer?.deallocate() }

  /// The payload of the current key.
  var entry: KeyDirectory.Entry { unsafe block.entry(at: index, in: bytes) }

  /// Goes on to the next key.
  ///
  /// - Throws: `temporary-storage-failed`.
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

  /// Gets the bytes of the current block; the cache is left to those who look keys up.
  private func load() throws(CofferError) {
    switch block.place {
    case .nowhere: unsafe bytes = nil
    case .memory(let place): unsafe bytes = UnsafeRawPointer(place)
    case .file(let offset):
      let room = unsafe buffer ?? KeyStorage.allocateBlock()
      unsafe buffer = room
      try unsafe storage.read(block, at: offset, into: room)
      unsafe bytes = UnsafeRawPointer(room)
    }
  }
}
