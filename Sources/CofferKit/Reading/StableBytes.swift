/// Bytes that stay where they are, so that they can be lent for longer than one call.
@safe final class StableBytes {
  private let storage: UnsafeMutableRawBufferPointer
  /// How many bytes there are.
  let count: Int

  /// Copies bytes.
  init(_ bytes: ContiguousArray<UInt8> = []) {
    count = bytes.count
    unsafe storage = .allocate(byteCount: max(1, count), alignment: 1)
    unsafe bytes.withUnsafeBytes { unsafe storage.copyMemory(from: $0) }
  }

  deinit { unsafe storage.deallocate() }

  /// The bytes, for as long as the object is there.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: storage.baseAddress, count: count)
  }

  /// The bytes from one offset to another, to be changed; the range must lie within them.
  func mutableBytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: storage[range])
  }
}
