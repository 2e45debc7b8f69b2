internal import CoreDataArchive
internal import DataCompression

extension FuzzTarget {
  /// zstd members and streams from strangers.
  static let zstd = FuzzTarget(
    "zstd", "zstd members and streams; what is compressed decompresses to the same",
    maximumSize: 1 << 14, words: ["*M\u{18}", "CF"],
    seeds: {
      let texts = [[1], Array("abcabcabc".utf8), [UInt8](repeating: 7, count: 5000)]
      return try texts.flatMap { plain throws in
        let member = try FuzzGzip.member(plain, .zstd)
        return [member, Array(member.dropFirst(MemberFormat.headerSize))]
      }
    }
  ) { input in
    if FuzzGzip.header(of: input)?.isFooter == false { try decompressMember(input) }
    if !input.isEmpty {
      let plain = try FuzzGzip.plain(try FuzzGzip.member(input, .zstd))
      try hold(plain == input, "bytes come back otherwise")
    }
    try decompressStream(input, .zstd)
  }

  /// Decompresses a member that may state anything, as an archive's reader does.
  private static func decompressMember(_ input: [UInt8]) throws {
    guard let plain = try? FuzzGzip.plain(input), !plain.isEmpty else { return }
    let again = try FuzzGzip.plain(try FuzzGzip.member(plain, .zstd))
    try hold(again == plain, "bytes are not the same when they are compressed and decompressed")
  }
}
