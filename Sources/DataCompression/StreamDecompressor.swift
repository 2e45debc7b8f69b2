/// Decompresses a compressed stream of any size piece by piece, with one or more members or frames.
///
/// For streams from other programs; it verifies checksums where the stream has them.
package struct StreamDecompressor: ~Copyable {
  // One of the two, according to the format.
  private var gzip: StreamInflater?
  private var zstd: FrameStream?

  /// Creates a decompressor that expects the beginning of a stream.
  ///
  /// - Parameters:
  ///   - format: the format of the stream.
  ///   - windowLimit: the largest window that a zstd frame may ask for, in bytes; gzip's is 32 KiB.
  /// - Throws: ``CompressionError/outOfMemory``; ``CompressionError/unavailable`` for zstd without the
  ///   trait `Zstd`.
  package init(_ format: MemberFormat, windowLimit: Int) throws(CompressionError) {
    switch format {
    case .gzip: gzip = try StreamInflater()
    case .zstd: zstd = try FrameStream(windowLimit: windowLimit)
    }
  }

  /// Whether a member has ended and no other has started: the only place where the input may end.
  package private(set) var isBetweenMembers = false

  /// Whether a step without input may write more, because the last one filled its buffer.
  package private(set) var mayHaveMore = false
  /// The number of plain bytes that a step wrote before it found damage; 0 before that.
  package private(set) var producedBeforeDamage = 0

  /// Decompresses as much as the input and the output buffer allow.
  ///
  /// A step may use input and produce nothing, and the reverse. Call again with more of whatever
  /// ran out.
  ///
  /// - Parameters:
  ///   - input: the next bytes of the stream, borrowed for the call.
  ///   - target: the output buffer, not empty.
  /// - Returns: the numbers of bytes used and written.
  /// - Throws: ``CompressionError``, for each kind of defect.
  package mutating func decompress(
    _ input: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> StreamInflater.Step {
    defer {
      isBetweenMembers = gzip?.isBetweenMembers ?? zstd?.isBetweenFrames ?? false
      mayHaveMore = zstd?.mayHaveMore ?? false
      producedBeforeDamage = gzip?.producedBeforeDamage ?? 0
    }
    if let step = try unsafe zstd?.decompress(input, into: target) { return step }
    guard let step = try unsafe gzip?.inflate(input, into: target) else { throw .unavailable }
    return step
  }
}
