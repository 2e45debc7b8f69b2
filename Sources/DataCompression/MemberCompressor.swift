/// Compresses blocks to the members of an archive, one at a time.
///
/// It keeps the memory that the library needs, so use one for many members. It may move between
/// threads, but only one may use it at a time.
///
///     var compressor = try MemberCompressor(.zstd, level: 3)
///     member.removeAll(keepingCapacity: true)
///     try compressor.append(block, to: &member)
package struct MemberCompressor: ~Copyable {
  /// The compressor of gzip members, or nil.
  private var gzip: BlockCompressor?
  /// The compressor of zstd frames, or nil.
  private var zstd: FrameCompressor?

  /// Creates a compressor.
  ///
  /// - Parameters:
  ///   - format: the format of the members.
  ///   - level: the level of the format, clamped: 0...12 for gzip, 1...19 for zstd.
  /// - Throws: ``CompressionError/outOfMemory``; ``CompressionError/unavailable`` for zstd without the
  ///   trait `Zstd`.
  package init(_ format: MemberFormat, level: Int) throws(CompressionError) {
    switch format {
    case .gzip: gzip = try BlockCompressor(level: level)
    case .zstd: zstd = try FrameCompressor(level: level)
    }
  }

  /// Appends a block as one member.
  ///
  /// The same block always gives the same bytes at the same level, with the same version of the library.
  ///
  /// - Parameters:
  ///   - plain: the block, borrowed for the call; not empty.
  ///   - output: the buffer to append to.
  /// - Throws: ``CompressionError/outOfMemory``, only for zstd.
  package mutating func append(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) throws(CompressionError) {
    unsafe gzip?.appendMember(plain, to: &output)
    try unsafe zstd?.appendMember(plain, to: &output)
  }
}

/// Decompresses the members of an archive, one at a time, of either format.
///
/// It keeps the memory that the libraries need, from the first member of a format on.
package struct MemberDecompressor: ~Copyable {
  private var gzip: BlockInflater?
  private var zstd: FrameDecompressor?

  /// Creates a decompressor.
  package init() {}

  /// Decompresses a whole member and verifies its checksum.
  ///
  /// - Parameters:
  ///   - member: the member, whose header was read with ``MemberFormat/header(of:)``; borrowed for the call.
  ///   - format: its format.
  ///   - plain: a buffer of exactly ``MemberFormat/plainSize(of:)`` bytes.
  /// - Throws: ``CompressionError``, for each kind of defect.
  package mutating func decompress(
    _ member: UnsafeRawBufferPointer, _ format: MemberFormat,
    filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    switch format {
    case .gzip:
      if gzip == nil { gzip = try BlockInflater() }
      try unsafe gzip?.inflateMember(member, filling: plain)
    case .zstd:
      if zstd == nil { zstd = try FrameDecompressor() }
      try unsafe zstd?.decompressMember(member, filling: plain)
    }
  }
}

extension BlockCompressor {
  fileprivate mutating func appendMember(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) {
    unsafe GzipMember.append(plain, with: &self, to: &output)
  }
}

extension BlockInflater {
  fileprivate mutating func inflateMember(
    _ member: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    try unsafe GzipMember.inflate(member, with: &self, filling: plain)
  }
}

extension FrameCompressor {
  fileprivate mutating func appendMember(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) throws(CompressionError) {
    try unsafe ZstdMember.append(plain, with: &self, to: &output)
  }
}

extension FrameDecompressor {
  fileprivate mutating func decompressMember(
    _ member: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    try unsafe ZstdMember.decompress(member, with: &self, filling: plain)
  }
}
