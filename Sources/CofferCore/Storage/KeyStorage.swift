internal import CoreDataModel

/// The memory and the temporary file that the key directories of one run share.
///
/// Blocks stay in memory until the budget is used up. Later blocks go to the file. A cache keeps
/// some of those that are read again; its memory is part of the budget.
@safe package final class KeyStorage {
  /// The memory used by the blocks and their index, in bytes.
  private(set) var used = 0
  /// The number of blocks in the temporary file.
  private(set) var spilledCount = 0

  private let budget: Int
  private let file: TemporaryFile
  /// By place in the cache: the offset of the block there, or -1.
  private var cached: ContiguousArray<Int> = []
  /// The size of a place, for the largest block in the file.
  private var placeSize = 0
  private var cache: UnsafeMutableRawPointer?
  private let cacheSize: Int
  private var scratch: UnsafeMutableRawPointer?

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - memory: the memory limit of all directories, in bytes.
  ///   - temporaryFolder: the folder for the temporary file; nil for the system's temporary folder.
  package init(memory: Int = 12 << 20, temporaryFolder: String? = nil) {
    cacheSize = min(1 << 20, max(16 << 10, memory / 8))
    budget = max(0, memory - cacheSize)
    file = TemporaryFile(in: temporaryFolder)
  }

  deinit {
    unsafe scratch?.deallocate()
    unsafe cache?.deallocate()
  }

  /// Stores the bytes of a block, in memory if there is room; returns their place.
  func keep(
    _ size: Int, _ write: (UnsafeMutableRawPointer) -> Void
  ) throws(CofferError) -> KeyBlock.Place {
    if size == 0 { return .nowhere }
    if size <= budget - used {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      unsafe write(bytes)
      used += size
      return unsafe .memory(bytes)
    }
    let bytes = unsafe scratch ?? Self.allocateBlock()
    unsafe scratch = bytes
    unsafe write(bytes)
    let offset = try unsafe file.append(UnsafeRawBufferPointer(start: bytes, count: size))
    spilledCount += 1
    if size > placeSize {
      placeSize = (size + 255) & ~255
      cached = ContiguousArray(repeating: -1, count: cacheSize / placeSize)
    }
    return .file(offset)
  }

  func countIndexed(_ block: KeyBlock) { used += MemoryLayout<KeyBlock>.stride }

  /// Frees the memory of a block in an index.
  func release(_ block: KeyBlock) {
    used -= MemoryLayout<KeyBlock>.stride
    guard case .memory(let bytes) = block.place else { return }
    unsafe bytes.deallocate()
    used -= block.size
  }

  /// The bytes of a block, valid until the next call; nil if it has none.
  func bytes(of block: KeyBlock) throws(CofferError) -> UnsafeRawPointer? {
    switch block.place {
    case .nowhere: return nil
    case .memory(let bytes): return UnsafeRawPointer(bytes)
    case .file(let offset):
      let mixed = UInt64(truncatingIfNeeded: offset) &* 0x9e37_79b9_7f4a_7c15
      let index = Int(truncatingIfNeeded: mixed >> 40) % cached.count
      let start = unsafe cache ?? .allocate(byteCount: cacheSize, alignment: 8)
      unsafe cache = start
      let bytes = unsafe start + index * placeSize
      if cached[index] != offset {
        // If reading fails, the place is empty.
        cached[index] = -1
        try unsafe read(block, at: offset, into: bytes)
        cached[index] = offset
      }
      return UnsafeRawPointer(bytes)
    }
  }

  func read(
    _ block: KeyBlock, at offset: Int, into bytes: UnsafeMutableRawPointer
  ) throws(CofferError) {
    try unsafe file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: block.size))
  }

  static func allocateBlock() -> UnsafeMutableRawPointer {
    .allocate(byteCount: KeyBlock.largestSize, alignment: 8)
  }
}
