#if ZSTD
  internal import CZstd
#endif

/// Compresses whole blocks of up to 4 MiB to zstd frames (RFC 8878), one frame per block.
///
/// A frame is a single segment with its content size and a checksum.
///
/// High levels take hundreds of times as long as low ones for incompressible data and gain nothing. So
/// a long block is sampled first, and compressed with level 1 if no sample shrinks.
@safe struct FrameCompressor: ~Copyable {
  /// The valid levels: 1 is the fastest, 19 the slowest.
  static let levels = 1...19

  #if ZSTD
    private let context: OpaquePointer
    private let level: Int32
    /// The lowest level that samples the block; those below are as fast as sampling.
    private static let samplingLevel = 4
    /// The lowest level that would take large tables.
    private static let largeTableLevel = 7
    /// The level whose table is made larger, from 256 to 512 KiB: 0.9 % smaller in 5 % more time, most of what
    /// the next level gains.
    private static let widenedLevel = 2
  #endif

  /// Creates a compressor for a level, clamped.
  ///
  /// - Throws: ``CompressionError/outOfMemory``, ``CompressionError/unavailable``.
  init(level: Int) throws(CompressionError) {
    #if ZSTD
      self.level = Int32(min(max(level, Self.levels.lowerBound), Self.levels.upperBound))
      guard let context = unsafe ZSTD_createCCtx() else { throw .outOfMemory }
      unsafe self.context = unsafe context
      // Valid for every version of the library, like the levels. A window as large as the block makes the
      // frame a single segment.
      _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 22)
      // High levels take tables for windows larger than any block: 40 MB where 8 compress almost as well.
      if level >= Self.largeTableLevel {
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, 19)
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, 20)
      } else if level == Self.widenedLevel {
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, 17)
      }
      _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    #else
      throw .unavailable
    #endif
  }

  #if ZSTD
    deinit { unsafe ZSTD_freeCCtx(context) }
  #endif

  /// Appends a block as one frame; throws ``CompressionError/outOfMemory``.
  mutating func compress(
    _ plain: UnsafeRawBufferPointer, appendingTo output: inout ContiguousArray<UInt8>
  ) throws(CompressionError) {
    #if ZSTD
      let isWorthwhile = level < Self.samplingLevel ? true : unsafe shrinksSomewhere(plain, &output)
      let count = unsafe compress(
        plain, behind: &output, level: isWorthwhile ? level : 1, keeping: true)
      if count == 0 { throw .outOfMemory }
    #endif
  }

  #if ZSTD
    /// Whether one of the samples of a long block shrinks; true for a short block.
    private mutating func shrinksSomewhere(
      _ plain: UnsafeRawBufferPointer, _ output: inout ContiguousArray<UInt8>
    ) -> Bool {
      guard let starts = BlockSamples.starts(in: plain.count) else { return true }
      for start in starts {
        let count = unsafe compress(
          BlockSamples.sample(of: plain, at: start), behind: &output, level: 1, keeping: false)
        if count <= BlockSamples.worthwhileSize { return true }
      }
      return false
    }

    /// Compresses into the free space of a buffer; the frame becomes part of its content if it is kept.
    ///
    /// - Returns: the size, or 0 if there is not enough memory.
    private mutating func compress(
      _ plain: UnsafeRawBufferPointer, behind output: inout ContiguousArray<UInt8>, level: Int32,
      keeping keeps: Bool
    ) -> Int {
      _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
      let space = ZSTD_compressBound(plain.count)
      return unsafe output.withSpace(space, keeping: keeps) { bytes in
        let count = unsafe ZSTD_compress2(
          context, bytes.baseAddress, bytes.count, plain.baseAddress, plain.count)
        return ZSTD_isError(count) == 0 ? count : 0
      }
    }
  #endif
}

#if ZSTD
  /// The library's state of one decompression at a time.
  @safe private struct DecompressionContext: ~Copyable {
    let pointer: OpaquePointer

    /// - Throws: ``CompressionError/outOfMemory``.
    init() throws(CompressionError) {
      guard let pointer = unsafe ZSTD_createDCtx() else { throw .outOfMemory }
      unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe ZSTD_freeDCtx(pointer) }
  }
#endif

/// Decompresses whole zstd frames of known plain size.
///
/// The plain bytes are the window, so a frame takes no memory beyond them.
struct FrameDecompressor: ~Copyable {
  #if ZSTD
    private let context: DecompressionContext
  #endif

  /// Creates a decompressor, which can be used for any number of frames.
  ///
  /// - Throws: ``CompressionError/outOfMemory``, ``CompressionError/unavailable``.
  init() throws(CompressionError) {
    #if ZSTD
      context = try DecompressionContext()
    #else
      throw .unavailable
    #endif
  }

  /// Decompresses one frame that must fill the given buffer exactly and end with the input.
  ///
  /// - Throws: ``CompressionError/trailingBytes(_:)`` if bytes follow the frame,
  ///   ``CompressionError/damaged`` for any other defect, a wrong checksum among them.
  mutating func decompress(
    _ frame: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    #if ZSTD
      let size = unsafe ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
      guard ZSTD_isError(size) == 0, size <= frame.count else { throw .damaged }
      guard size == frame.count else { throw .trailingBytes(frame.count - size) }
      let count = unsafe ZSTD_decompressDCtx(
        context.pointer, plain.baseAddress, plain.count, frame.baseAddress, frame.count)
      guard count == plain.count else { throw .damaged }
    #endif
  }
}

/// Decompresses a stream of zstd frames of any size piece by piece.
///
/// For streams from other programs; it verifies the checksum of each frame that has one.
struct FrameStream: ~Copyable {
  #if ZSTD
    private let context: DecompressionContext
    /// The number of bytes of input that complete the next step of the library, such as one block.
    private var wanted = 1
  #endif
  /// Whether a frame has ended and no other has started: the only place where the input may end.
  private(set) var isBetweenFrames = false
  /// Whether the last step filled its buffer, so that there may be more without further input.
  private(set) var mayHaveMore = false

  /// Creates a decompressor that expects the beginning of a frame.
  ///
  /// - Throws: ``CompressionError/outOfMemory``, ``CompressionError/unavailable``.
  init(windowLimit: Int) throws(CompressionError) {
    #if ZSTD
      context = try DecompressionContext()
      let bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax)
      let log = Int32(Int.bitWidth - 1 - max(1, windowLimit).leadingZeroBitCount)
      _ = unsafe ZSTD_DCtx_setParameter(
        context.pointer, ZSTD_d_windowLogMax, min(max(log, bounds.lowerBound), bounds.upperBound))
    #else
      throw .unavailable
    #endif
  }

  /// Decompresses as much as the input and the output buffer allow, at most one block.
  ///
  /// The library forgets what it wrote before it found damage, so it is given no more than it needs for
  /// one block.
  ///
  /// - Throws: ``CompressionError``, for each kind of defect.
  mutating func decompress(
    _ input: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> StreamInflater.Step {
    #if ZSTD
      var source = unsafe ZSTD_inBuffer(
        src: input.baseAddress, size: min(input.count, wanted), pos: 0)
      var target = unsafe ZSTD_outBuffer(
        dst: destination.baseAddress, size: destination.count, pos: 0)
      let status = unsafe ZSTD_decompressStream(context.pointer, &target, &source)
      guard ZSTD_isError(status) == 0 else { throw Self.error(status) }
      isBetweenFrames = status == 0
      mayHaveMore = unsafe status != 0 && target.pos == destination.count
      wanted = max(1, status)
      return unsafe StreamInflater.Step(consumed: source.pos, produced: target.pos)
    #else
      throw .unavailable
    #endif
  }

  #if ZSTD
    private static func error(_ status: Int) -> CompressionError {
      switch ZSTD_getErrorCode(status) {
      case ZSTD_error_frameParameter_windowTooLarge: .windowExceeded
      case ZSTD_error_dictionary_wrong: .dictionary
      case ZSTD_error_memory_allocation: .outOfMemory
      default: .damaged
      }
    }
  #endif
}
