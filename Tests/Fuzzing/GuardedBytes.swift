import POSIX

/// Bytes whose last one is the last readable of its page: reading on is a crash.
@safe final class GuardedBytes {
  /// The bytes.
  let bytes: UnsafeMutableRawBufferPointer
  private let mapping: UnsafeMutableRawPointer
  private let size: Int

  /// Copies bytes; nil where the system has no memory.
  init?(_ copied: some Collection<UInt8>) {
    let page = Int(getpagesize())
    let room = (copied.count + page - 1) / page * page
    size = room + page
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
    unsafe mapping = memory
    unsafe bytes = UnsafeMutableRawBufferPointer(
      start: memory + (room - copied.count), count: copied.count)
    unsafe bytes.copyBytes(from: copied)
    guard unsafe mprotect(memory + room, page, PROT_NONE) == 0 else { return nil }
  }

  deinit { unsafe munmap(mapping, size) }

  /// Where the bytes are.
  var addresses: Range<UInt> {
    let start = unsafe UInt(bitPattern: bytes.baseAddress)
    return unsafe start..<(start + UInt(bytes.count))
  }

  /// Copies bytes.
  ///
  /// - Throws: ``BrokenLaw`` where the system has no memory.
  static func copy(_ bytes: some Collection<UInt8>) throws(BrokenLaw) -> GuardedBytes {
    guard let copy = GuardedBytes(bytes) else { throw BrokenLaw("no memory for a guarded copy") }
    return copy
  }
}
