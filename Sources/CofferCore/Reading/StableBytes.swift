/// Bytes with a stable address, so that they can be borrowed for longer than one call.
@safe package final class StableBytes {
  private let storage: UnsafeMutableRawBufferPointer
  /// The number of bytes.
  package let count: Int

  /// Copies bytes.
  package init(_ bytes: ContiguousArray<UInt8> = []) {
    count = bytes.count
    unsafe storage = .allocate(byteCount: max(1, count), alignment: 1)
    unsafe bytes.withUnsafeBytes { unsafe storage.copyMemory(from: $0) }
  }

  deinit { unsafe storage.deallocate() }

  /// The bytes, valid for the lifetime of the object.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: storage.baseAddress, count: count)
  }

  /// A range of the bytes to change.
  ///
  /// The range must be within the bounds.
  package func mutableBytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: storage[range])
  }
}
