#if LIBDEFLATE
  internal import CDeflate
#else
  internal import CZlib
#endif

/// Inflates whole raw deflate streams (RFC 1951) of known plain size.
@safe package struct BlockInflater: ~Copyable {
  #if LIBDEFLATE
    private let decompressor: OpaquePointer
  #else
    /// On the heap because zlib's state points back to the stream.
    private let stream: UnsafeMutablePointer<z_stream>
  #endif

  /// Creates an inflater, which can be used for any number of streams.
  ///
  /// - Throws: ``CompressionError/outOfMemory``.
  package init() throws(CompressionError) {
    #if LIBDEFLATE
      guard let decompressor = unsafe libdeflate_alloc_decompressor() else { throw .outOfMemory }
      unsafe self.decompressor = unsafe decompressor
    #else
      unsafe stream = try makeStream { stream in
        unsafe inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      }
    #endif
  }

  deinit {
    #if LIBDEFLATE
      unsafe libdeflate_free_decompressor(decompressor)
    #else
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    #endif
  }

  /// Inflates a stream that must fill the given buffer exactly and end with the input.
  ///
  /// - Parameters:
  ///   - input: the stream, borrowed for the call.
  ///   - plain: a buffer of exactly the plain size.
  /// - Throws: ``CompressionError/limitExceeded(_:)`` if the stream contains more bytes than fit,
  ///   ``CompressionError/trailingBytes(_:)`` if bytes follow it, ``CompressionError/damaged`` for any
  ///   other defect, including a stream that ends early or contains less.
  package mutating func inflate(
    _ input: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    #if LIBDEFLATE
      var consumed = 0
      var produced = 0
      let result = unsafe libdeflate_deflate_decompress_ex(
        decompressor, input.baseAddress, input.count, plain.baseAddress, plain.count,
        &consumed, &produced)
      switch result {
      case LIBDEFLATE_SUCCESS: break
      case LIBDEFLATE_INSUFFICIENT_SPACE: throw .limitExceeded(plain.count)
      default: throw .damaged
      }
      guard produced == plain.count else { throw .damaged }
      guard consumed == input.count else { throw .trailingBytes(input.count - consumed) }
    #else
      guard unsafe inflateReset(stream) == Z_OK, let available = UInt32(exactly: input.count),
        let space = UInt32(exactly: plain.count)
      else { throw .damaged }
      // zlib refuses a missing output pointer, which an empty buffer has.
      var none: UInt8 = 0
      let status = unsafe withUnsafeMutablePointer(to: &none) { spare in
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = available
        unsafe stream.pointee.next_out =
          unsafe plain.bindMemory(to: UInt8.self).baseAddress ?? spare
        unsafe stream.pointee.avail_out = space
        return unsafe CZlib.inflate(stream, Z_FINISH)
      }
      let left = unsafe Int(stream.pointee.avail_in)
      guard status == Z_STREAM_END else {
        throw status == Z_BUF_ERROR && left > 0 ? .limitExceeded(plain.count) : .damaged
      }
      guard unsafe stream.pointee.avail_out == 0 else { throw .damaged }
      guard left == 0 else { throw .trailingBytes(left) }
    #endif
  }
}

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
