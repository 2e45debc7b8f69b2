#if LIBDEFLATE
  internal import CDeflate
#else
  internal import CZlib
#endif

/// Compresses whole blocks to raw deflate streams (RFC 1951), one stream for a block.
///
/// The same block gives the same bytes at the same level, whatever came before it; another library or
/// another version of it may give other bytes. A block that deflate does not shrink is stored.
///
/// Deflating what cannot shrink costs the most and wins nothing, so a long block is tried at a few
/// places first: where none of them shrinks, the block is stored. A block whose parts repeat only over
/// long distances is therefore stored too, which costs size and nothing else.
@safe package struct BlockCompressor: ~Copyable {
  /// The levels there are: 0 stores, 12 is the slowest.
  package static let levels = 0...12

  #if LIBDEFLATE
    /// nil at level 0, which needs no compressor.
    private let compressor: OpaquePointer?
  #else
    /// nil at level 0. On the heap because zlib's state points back at the stream.
    private let stream: UnsafeMutablePointer<z_stream>?
  #endif

  /// Creates a compressor.
  ///
  /// - Parameter level: 0...12, clamped. zlib knows no level above 9 and uses 9.
  /// - Throws: ``DeflateError/outOfMemory``.
  package init(level: Int) throws(DeflateError) {
    let level = Int32(min(max(level, Self.levels.lowerBound), Self.levels.upperBound))
    #if LIBDEFLATE
      if level == 0 {
        unsafe compressor = nil
      } else {
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else {
          throw .outOfMemory
        }
        unsafe self.compressor = unsafe compressor
      }
    #else
      if level == 0 {
        unsafe stream = nil
      } else {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe deflateInit2_(
          stream, min(level, 9), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
          unsafe stream.deallocate()
          throw .outOfMemory
        }
        unsafe self.stream = unsafe stream
      }
    #endif
  }

  deinit {
    #if LIBDEFLATE
      unsafe libdeflate_free_compressor(compressor)
    #else
      if let stream = unsafe stream {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
      }
    #endif
  }

  /// Appends a block as one whole deflate stream.
  ///
  /// - Parameters:
  ///   - plain: the block; lent for the call. It may be empty.
  ///   - output: where the stream goes; it grows by at most the plain size and 5 bytes for each 65,535.
  package mutating func compress(
    _ plain: UnsafeRawBufferPointer, appendingTo output: inout ContiguousArray<UInt8>
  ) {
    let start = output.count
    let room = StoredBlocks.size(of: plain.count)
    if unsafe shrinksSomewhere(plain, scratch: &output) {
      output.append(contentsOf: repeatElement(0, count: room))
      let count = unsafe output.withUnsafeMutableBytes { bytes in
        unsafe deflate(plain, into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
      output.removeLast(room - count)
      if count > 0 { return }
    }
    unsafe StoredBlocks.append(plain, to: &output)
  }

  /// Whether deflate is worth trying: true for a short block, else when one of four samples shrinks.
  private mutating func shrinksSomewhere(
    _ plain: UnsafeRawBufferPointer, scratch: inout ContiguousArray<UInt8>
  ) -> Bool {
    #if LIBDEFLATE
      guard unsafe compressor != nil else { return false }
    #else
      guard unsafe stream != nil else { return false }
    #endif
    let sample = 4096
    let samples = 4
    guard plain.count >= samples * samples * sample else { return true }
    let start = scratch.count
    // A sample that saves less than a thirty-second part counts as not shrinking.
    scratch.append(contentsOf: repeatElement(0, count: sample - sample / 32))
    defer { scratch.removeLast(scratch.count - start) }
    for index in 0..<samples {
      let offset = (plain.count - sample) / (samples - 1) * index
      let count = unsafe scratch.withUnsafeMutableBytes { bytes in
        unsafe deflate(
          UnsafeRawBufferPointer(rebasing: plain[offset..<offset + sample]),
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
      if count > 0 { return true }
    }
    return false
  }

  /// Deflates into a buffer and returns the size, or 0 where the stream does not fit.
  private mutating func deflate(
    _ plain: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int {
    #if LIBDEFLATE
      guard let compressor = unsafe compressor else { return 0 }
      return unsafe libdeflate_deflate_compress(
        compressor, plain.baseAddress, plain.count, room.baseAddress, room.count)
    #else
      guard let stream = unsafe stream, unsafe deflateReset(stream) == Z_OK,
        let input = UInt32(exactly: plain.count), let space = UInt32(exactly: room.count)
      else { return 0 }
      unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
        mutating: plain.bindMemory(to: UInt8.self).baseAddress)
      unsafe stream.pointee.avail_in = input
      unsafe stream.pointee.next_out = unsafe room.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.pointee.avail_out = space
      guard unsafe CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END else { return 0 }
      return unsafe room.count - Int(stream.pointee.avail_out)
    #endif
  }
}
