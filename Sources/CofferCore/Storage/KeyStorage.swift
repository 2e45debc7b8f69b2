internal import CoreDataModel

/// The memory and the temporary file that the key directories of one run share.
///
/// Blocks stay in memory until the budget is used up. Later blocks go to the file. A cache keeps
/// some of those that are read again; its memory is part of the budget.
@safe package final class KeyStorage {
  /// A cached block of the file.
  @safe private struct Slot {
    var offset = -1
    var bytes: UnsafeMutableRawPointer?
  }

  /// The memory used by the blocks and their index, in bytes.
  private(set) var used = 0
  /// The number of blocks in the temporary file.
  private(set) var spilledCount = 0

  private let budget: Int
  private let file: TemporaryFile
  private var slots: ContiguousArray<Slot>
  private var scratch: UnsafeMutableRawPointer?

  /// - Parameters:
  ///   - memory: the memory limit of all directories, in bytes.
  ///   - temporaryFolder: the folder for the temporary file; nil for the system's temporary folder.
  package init(memory: Int = 12 << 20, temporaryFolder: String? = nil) {
    // A power of two, so that a few bits of a number select the slot.
    var slotCount = 64
    while slotCount > 1, slotCount * KeyBlock.largestSize > memory / 8 { slotCount /= 2 }
    slots = ContiguousArray(repeating: Slot(), count: slotCount)
    budget = max(0, memory - slotCount * KeyBlock.largestSize)
    file = TemporaryFile(in: temporaryFolder)
  }

  deinit {
    unsafe scratch?.deallocate()
    for slot in slots { unsafe slot.bytes?.deallocate() }
  }

  /// Stores the bytes of a block, in memory if there is room.
  ///
  /// - Parameters:
  ///   - size: the number of bytes, at most ``KeyBlock/largestSize``.
  ///   - write: writes the bytes.
  /// - Returns: their place.
  /// - Throws: `temporary-storage-failed`.
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
    return .file(offset)
  }

  /// Counts a block that was added to an index.
  func countIndexed(_ block: KeyBlock) { used += MemoryLayout<KeyBlock>.stride }

  /// Frees the memory of a block in an index.
  func release(_ block: KeyBlock) {
    used -= MemoryLayout<KeyBlock>.stride
    guard case .memory(let bytes) = block.place else { return }
    unsafe bytes.deallocate()
    used -= block.size
  }

  /// The bytes of a block, valid until the next call; nil if it has none.
  ///
  /// - Throws: `temporary-storage-failed` if the file cannot be read.
  func bytes(of block: KeyBlock) throws(CofferError) -> UnsafeRawPointer? {
    switch block.place {
    case .nowhere: return nil
    case .memory(let bytes): return UnsafeRawPointer(bytes)
    case .file(let offset):
      let mixed = UInt64(truncatingIfNeeded: offset) &* 0x9e37_79b9_7f4a_7c15
      let index = Int(truncatingIfNeeded: mixed >> 40) & (slots.count - 1)
      if slots[index].offset == offset { return unsafe UnsafeRawPointer(slots[index].bytes) }
      let bytes = unsafe slots[index].bytes ?? Self.allocateBlock()
      // If reading fails, the slot is empty.
      slots[index] = unsafe Slot(offset: -1, bytes: bytes)
      try unsafe read(block, at: offset, into: bytes)
      slots[index].offset = offset
      return UnsafeRawPointer(bytes)
    }
  }

  /// Reads the bytes of a block from the file.
  func read(
    _ block: KeyBlock, at offset: Int, into bytes: UnsafeMutableRawPointer
  ) throws(CofferError) {
    try unsafe file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: block.size))
  }

  /// Allocates memory for the largest block.
  static func allocateBlock() -> UnsafeMutableRawPointer {
    .allocate(byteCount: KeyBlock.largestSize, alignment: 8)
  }
}
