#if LIBDEFLATE
  internal import CDeflate
#else
  internal import CZlib
#endif

/// Compresses whole blocks to raw deflate streams (RFC 1951), one stream per block.
///
/// The same block always gives the same bytes at the same level. Another library, or another
/// version of it, may give other bytes. A block that deflate does not shrink is stored.
///
/// Deflating incompressible data costs the most and gains nothing. So a long block is sampled
/// first, and stored if no sample shrinks. A block whose parts repeat only over long distances is
/// therefore stored too, which costs only size.
@safe package struct BlockCompressor: ~Copyable {
  /// The valid levels: 0 stores, 12 is the slowest.
  package static let levels = 0...12

  #if LIBDEFLATE
    /// A libdeflate compressor, or nil at level 0, which does not need one.
    private let compressor: OpaquePointer?
  #else
    /// A zlib stream, or nil at level 0; on the heap because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>?
  #endif

  /// Creates a compressor for a level.
  ///
  /// - Parameter level: 0...12, clamped. zlib has no level above 9 and uses 9.
  /// - Throws: ``CompressionError/outOfMemory``.
  package init(level: Int) throws(CompressionError) {
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
        unsafe stream = try makeStream { stream in
          unsafe deflateInit2_(
            stream, min(level, 9), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        }
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
  ///   - plain: the block, borrowed for the call. It may be empty.
  ///   - output: the buffer to append to; it grows by at most the plain size and 5 bytes for each
  ///     65,535.
  package mutating func compress(
    _ plain: UnsafeRawBufferPointer, appendingTo output: inout ContiguousArray<UInt8>
  ) {
    if unsafe shrinksSomewhere(plain, &output) {
      let count = unsafe deflate(
        plain, behind: &output, space: StoredBlocks.size(of: plain.count), keeping: true)
      if count > 0 { return }
    }
    unsafe StoredBlocks.append(plain, to: &output)
  }

  /// Whether deflate is worth trying: true for a short block, otherwise if one of the samples shrinks.
  private mutating func shrinksSomewhere(
    _ plain: UnsafeRawBufferPointer, _ output: inout ContiguousArray<UInt8>
  ) -> Bool {
    guard let starts = BlockSamples.starts(in: plain.count) else { return true }
    for start in starts {
      let piece = unsafe BlockSamples.sample(of: plain, at: start)
      if unsafe BlockSamples.isText(piece) { return true }
      if unsafe BlockSamples.isNoise(piece) { continue }
      let count = unsafe deflate(
        piece, behind: &output, space: BlockSamples.worthwhileSize, keeping: false)
      if count > 0 { return true }
    }
    return false
  }

  /// Deflates into the free space of a buffer; the stream becomes part of its content if it is kept.
  ///
  /// - Returns: the size, or 0 if the stream does not fit.
  private mutating func deflate(
    _ plain: UnsafeRawBufferPointer, behind output: inout ContiguousArray<UInt8>, space: Int,
    keeping keeps: Bool
  ) -> Int {
    #if LIBDEFLATE
      guard let compressor = unsafe compressor else { return 0 }
      return unsafe output.withSpace(space, keeping: keeps) { bytes in
        unsafe libdeflate_deflate_compress(
          compressor, plain.baseAddress, plain.count, bytes.baseAddress, bytes.count)
      }
    #else
      guard let stream = unsafe stream, unsafe deflateReset(stream) == Z_OK,
        let input = UInt32(exactly: plain.count), let limit = UInt32(exactly: space)
      else { return 0 }
      return unsafe output.withSpace(space, keeping: keeps) { bytes in
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
          mutating: plain.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = input
        unsafe stream.pointee.next_out = bytes.baseAddress
        unsafe stream.pointee.avail_out = limit
        guard unsafe CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END else { return 0 }
        return unsafe space - Int(stream.pointee.avail_out)
      }
    #endif
  }
}

extension ContiguousArray<UInt8> {
  /// Lets a library write after the bytes, into uninitialized memory.
  mutating func withSpace(
    _ space: Int, keeping keeps: Bool, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Int {
    var written = 0
    append(addingCapacity: space) { span in
      unsafe span.withUnsafeMutableBufferPointer { bytes, count in
        written = unsafe write(bytes)
        if keeps { count = written }
      }
    }
    return written
  }
}

/// The four samples of a long block that show whether it is worth compressing.
///
/// They come from the middle of each quarter. The frame of a value, such as the header and the padding
/// of a tar entry, is at the ends and always shrinks.
enum BlockSamples {
  private static let size = 4096
  private static let count = 4
  /// The size to which a sample must shrink: one that saves less than a thirty-second part counts as not
  /// shrinking.
  static let worthwhileSize = size - size / 32

  /// Where the samples start in a block of a number of bytes; nil for a short block, which has none.
  static func starts(in blockSize: Int) -> StrideTo<Int>? {
    guard blockSize >= count * count * size else { return nil }
    let quarter = blockSize / count
    return stride(from: (quarter - size) / 2, to: quarter * count, by: quarter)
  }

  /// Whether so few bytes of a sample are above 127 that any compression makes it smaller.
  static func isText(_ sample: UnsafeRawBufferPointer) -> Bool {
    unsafe sample.reduce(0) { $0 &+ Int($1 >> 7) } <= sample.count / 8
  }

  /// Whether no compression makes a sample smaller, because its bytes are evenly distributed and hardly a sequence
  /// of three comes twice.
  ///
  /// False for some noise too: compressing tells then, which takes four times as long.
  static func isNoise(_ sample: UnsafeRawBufferPointer) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 256 + size) { memory in
      unsafe memory.initialize(repeating: 0)
      let counts = unsafe UnsafeMutableBufferPointer(rebasing: memory[..<256])
      let latest = unsafe UnsafeMutableBufferPointer(rebasing: memory[256...])
      for index in 0..<sample.count { unsafe counts[Int(sample[index])] &+= 1 }
      // Random bytes have 17 times the size on average. With 18 times, a byte still has 7.9 bits of information.
      let squares = unsafe counts.reduce(0) { $0 &+ Int($1) &* Int($1) }
      guard squares <= size * (size / 256 + 2) else { return false }
      var repetitions = 0
      for position in 0..<sample.count - 3 {
        let sequence = unsafe sequence(in: sample, at: position)
        let place = Int((sequence &* 0x9E37_79B1) >> 20)
        let earlier = unsafe Int(latest[place])
        if unsafe self.sequence(in: sample, at: earlier) == sequence { repetitions &+= 1 }
        unsafe latest[place] = UInt16(truncatingIfNeeded: position)
      }
      return repetitions <= size / 256
    }
  }

  /// Three bytes of a sample as a number; a fourth one follows them.
  private static func sequence(in sample: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
    unsafe sample.loadUnaligned(fromByteOffset: position, as: UInt32.self) << 8
  }

  static func sample(of plain: UnsafeRawBufferPointer, at start: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: plain[start..<start + size])
  }
}

/// Deflate's stored blocks (RFC 1951, section 3.2.4), for incompressible bytes.
///
/// Implemented here so that the bytes are the same with every library.
enum StoredBlocks {
  /// The maximum number of bytes in a stored block.
  private static let blockSize = 65535
  /// The bytes before a block's content: its type and its length, twice.
  private static let headerSize = 5

  /// The size of `count` plain bytes as stored blocks, in bytes.
  static func size(of count: Int) -> Int {
    count + headerSize * max(1, (count + blockSize - 1) / blockSize)
  }

  /// Appends plain bytes as a whole deflate stream of stored blocks.
  static func append(_ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>) {
    // Includes the end of a member. Otherwise, appending it would double the capacity.
    output.reserveCapacity(output.count + size(of: plain.count) + MemberFormat.trailerSize)
    var start = 0
    repeat {
      let count = min(blockSize, plain.count - start)
      let isLast = start + count == plain.count
      let length = UInt16(count)
      output.append(isLast ? 1 : 0)
      output.append(UInt8(truncatingIfNeeded: length))
      output.append(UInt8(truncatingIfNeeded: length >> 8))
      output.append(UInt8(truncatingIfNeeded: ~length))
      output.append(UInt8(truncatingIfNeeded: ~length >> 8))
      unsafe output.append(contentsOf: plain[start..<start + count])
      start += count
    } while start < plain.count
  }
}
