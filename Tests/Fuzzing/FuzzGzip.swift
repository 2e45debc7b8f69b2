internal import DataCompression
internal import TestSupport

/// Gzip as stock tools and as the archive's writer make it, for seeds and mutations.
enum FuzzGzip {
  /// Bytes as one plain gzip member.
  static func stream(_ plain: [UInt8], level: Int = 1) throws -> [UInt8] {
    Array(try HandMadeTar.gzip(ContiguousArray(plain), level: level))
  }

  /// Bytes as one member of an archive.
  static func member(
    _ plain: [UInt8], _ format: MemberFormat = .gzip, level: Int = 1
  ) throws -> [UInt8] {
    var output = ContiguousArray<UInt8>()
    var compressor = try MemberCompressor(format, level: level)
    try unsafe plain.withUnsafeBytes { try unsafe compressor.append($0, to: &output) }
    return Array(output)
  }

  /// The members of an archive by the sizes that they state; the rest is the last.
  static func members(of bytes: [UInt8]) -> [[UInt8]] {
    var members: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, size(at: start, in: bytes) ?? bytes.count))
      members.append(Array(bytes[start..<end]))
      start = end
    }
    return members
  }

  private static func size(at start: Int, in bytes: [UInt8]) -> Int? {
    header(of: bytes[start...])?.size
  }

  /// The header of a member of either format, or nil.
  static func header(of bytes: some Collection<UInt8>) -> MemberFormat.Header? {
    let beginning = Array(bytes.prefix(MemberFormat.headerSize))
    return unsafe beginning.withUnsafeBytes { unsafe MemberFormat.header(of: $0) }
  }

  /// The plain bytes of a member of zstd, of one of gzip, or of a gzip stream without options in its
  /// header.
  static func plain(_ member: [UInt8]) throws -> [UInt8] {
    if header(of: member)?.format == .zstd { return try plainOfZstd(member) }
    guard member.count > MemberFormat.gzip.minimumSize, member[3] == 4 || member[3] == 0 else {
      throw CompressionError.truncated
    }
    let start = member[3] == 4 ? MemberFormat.gzip.headerSize : 10
    let stream = Array(member[start..<(member.count - 8)])
    return try inflateRaw(stream, limit: 4 << 20)
  }

  private static func plainOfZstd(_ member: [UInt8]) throws -> [UInt8] {
    var decompressor = MemberDecompressor()
    return try unsafe member.withUnsafeBytes { bytes in
      let size = unsafe MemberFormat.zstd.plainSize(of: bytes)
      var plain = [UInt8](repeating: 0, count: min(size, 4 << 20))
      try unsafe plain.withUnsafeMutableBytes {
        try unsafe decompressor.decompress(bytes, .zstd, filling: $0)
      }
      return plain
    }
  }
}
