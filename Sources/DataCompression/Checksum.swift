#if LIBDEFLATE
  internal import CDeflate
#else
  internal import CZlib
#endif

/// The CRC-32 of gzip (RFC 1952, section 8) of some bytes.
///
/// - Parameters:
///   - bytes: the bytes, borrowed for the call.
///   - checksum: the checksum of the preceding bytes, 0 at the beginning.
/// - Returns: the checksum of everything so far.
package func crc32(of bytes: UnsafeRawBufferPointer, continuing checksum: UInt32 = 0) -> UInt32 {
  guard let base = bytes.baseAddress, bytes.count > 0 else { return checksum }
  #if LIBDEFLATE
    return unsafe libdeflate_crc32(checksum, base, bytes.count)
  #else
    return unsafe UInt32(
      truncatingIfNeeded: crc32_z(
        UInt(checksum), base.assumingMemoryBound(to: UInt8.self), bytes.count))
  #endif
}
