/// Random bytes, from which blobs are cut without copying.
///
/// Larger than what any compression looks back to, so that blobs do not compress.
@safe final class BlobPool {
  private let bytes: UnsafeMutableRawBufferPointer

  /// Makes a pool of the given number of bytes.
  init(size: Int, random: inout SeededGenerator) {
    unsafe bytes = .allocate(byteCount: size & ~7, alignment: 8)
    for offset in stride(from: 0, to: size & ~7, by: 8) {
      unsafe bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
    }
  }

  deinit { unsafe bytes.deallocate() }

  /// A blob of that many bytes, or of the whole pool.
  func take(_ count: Int, _ random: inout SeededGenerator) -> UnsafeRawBufferPointer {
    let size = unsafe min(max(count, 0), bytes.count)
    let start = unsafe random.below(bytes.count - size)
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)])
  }
}
