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
  ///   - format: the format of the members; nil to append nothing.
  ///   - level: the level of the format, clamped: 0...12 for gzip, 1...19 for zstd.
  /// - Throws: ``CompressionError/outOfMemory``; ``CompressionError/unavailable`` for zstd without the
  ///   trait `Zstd`.
  package init(_ format: MemberFormat?, level: Int) throws(CompressionError) {
    switch format {
    case .gzip: gzip = try BlockCompressor(level: level)
    case .zstd: zstd = try FrameCompressor(level: level)
    case nil: break
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

extension MemberFormat {
  /// The number of bytes after the content of a gzip member: a checksum and the plain size.
  static let trailerSize = 8

  /// The number of plain bytes that a whole member states; 0 if it states none.
  package func plainSize(of member: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .gzip:
      guard member.count >= Self.trailerSize else { return 0 }
      let stated = unsafe member.loadUnaligned(fromByteOffset: member.count - 4, as: UInt32.self)
      return Int(UInt32(littleEndian: stated))
    case .zstd:
      guard let frame = unsafe content(of: member) else { return 0 }
      return unsafe Self.contentSize(of: frame) ?? 0
    }
  }

  /// The compressed content of a whole member, without a trailer; nil if the member is too small.
  fileprivate func content(of member: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard member.count >= minimumSize else { return nil }
    let end = member.count - (self == .gzip ? Self.trailerSize : 0)
    return unsafe UnsafeRawBufferPointer(rebasing: member[headerSize..<end])
  }

  /// The content size in the header of a frame (RFC 8878, section 3.1.1.1).
  ///
  /// - Parameter frame: at least as many bytes as the longest header has, 13.
  /// - Returns: nil for a frame of another form: a single segment with a checksum, without a dictionary.
  fileprivate static func contentSize(of frame: UnsafeRawBufferPointer) -> Int? {
    let descriptor = unsafe frame[4]
    guard unsafe frame.starts(with: zstd.signature), descriptor & 0b0011_1111 == 0b0010_0100 else {
      return nil
    }
    switch descriptor >> 6 {
    case 0: return unsafe Int(frame[5])
    case 1:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt16.self)
      return Int(UInt16(littleEndian: stated)) + 256
    case 2:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt32.self)
      return Int(UInt32(littleEndian: stated))
    default:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt64.self)
      return Int(exactly: UInt64(littleEndian: stated))
    }
  }
}

extension BlockCompressor {
  /// Appends a block as one gzip member.
  package mutating func appendMember(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) {
    let start = output.count
    MemberFormat.gzip.appendHeader(size: 0, to: &output)
    unsafe compress(plain, appendingTo: &output)
    unsafe output.append(UInt64(crc32(of: plain)), size: 4)
    output.append(UInt64(plain.count), size: 4)
    MemberFormat.gzip.setSize(ofMemberAt: start, in: &output)
  }
}

extension FrameCompressor {
  fileprivate mutating func appendMember(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) throws(CompressionError) {
    let start = output.count
    MemberFormat.zstd.appendHeader(size: 0, to: &output)
    try unsafe compress(plain, appendingTo: &output)
    MemberFormat.zstd.setSize(ofMemberAt: start, in: &output)
  }
}

extension BlockInflater {
  /// Inflates a whole gzip member and verifies its checksum.
  ///
  /// - Parameters:
  ///   - member: the member, whose header was read; borrowed for the call.
  ///   - plain: a buffer of exactly the plain size.
  /// - Throws: as ``inflate(_:filling:)``; ``CompressionError/damaged`` also for a wrong checksum.
  package mutating func inflateMember(
    _ member: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    guard let stream = unsafe MemberFormat.gzip.content(of: member) else { throw .truncated }
    try unsafe inflate(stream, filling: plain)
    let stated = unsafe member.loadUnaligned(fromByteOffset: member.count - 8, as: UInt32.self)
    guard unsafe crc32(of: UnsafeRawBufferPointer(plain)) == UInt32(littleEndian: stated) else {
      throw .damaged
    }
  }
}

extension FrameDecompressor {
  /// Decompresses a whole zstd member and verifies its checksum.
  fileprivate mutating func decompressMember(
    _ member: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    guard let frame = unsafe MemberFormat.zstd.content(of: member) else { throw .truncated }
    guard unsafe MemberFormat.contentSize(of: frame) == plain.count else { throw .damaged }
    try unsafe decompress(frame, filling: plain)
  }
}
