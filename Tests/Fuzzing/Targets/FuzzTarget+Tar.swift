internal import CoreDataArchive

extension FuzzTarget {
  private static let tarWords = [
    "ustar\u{0}00", "ustar  \u{0}", "manifest.json", "index.json", "19 path=other.json\n", "size=",
    "././@LongLink", "0000644\u{0}", "00000000000\u{0}", "GNU.sparse.", "linkpath=",
  ]

  /// A stranger's tar, by itself and as a repacked archive.
  static let tar = FuzzTarget(
    "tar", "a tar in a gzip stream; contents lie in the tar where its headers say", words: tarWords,
    seeds: {
      let archive = try ArchiveFixture.entries(of: ArchiveFixture.small())
      let gnu = ArchiveFixture.tar(archive.map { ("./\($0.name)", $0.bytes) })
      return [
        ArchiveFixture.tar(archive), gnu,
        ArchiveFixture.tar([("manifest.json", []), (String(repeating: "ü/", count: 90), [1])]),
      ]
    },
    change: { try TarMutation.apply(to: &$0, &$1) }
  ) { input in
    try decode(input)
    let path = try FuzzFolder.current().write(try FuzzGzip.stream(input, level: 0))
    try ArchiveLaws.hold(for: path)
  }

  /// Decodes the headers of a tar and skips the contents.
  private static func decode(_ input: [UInt8]) throws {
    var decoder = TarDecoder()
    var position = 0
    while input.count - position >= TarHeader.blockSize {
      let block = input[position..<(position + TarHeader.blockSize)]
      guard let step = try? decoder.decode(block) else { return }
      position += TarHeader.blockSize
      switch step {
      case .end: return
      case .extended(let size):
        try hold(
          size >= 0 && size <= ArchiveLimits.standard.extendedHeaderSize, "a large pax header")
        guard size <= input.count - position,
          (try? decoder.extend(with: input[position..<(position + size)])) != nil
        else { return }
        position += size + TarHeader.padding(after: size)
      case .entry(let header):
        try hold(header.size >= 0, "an entry of a negative size")
        guard header.size <= input.count - position else { return }
        position += header.size + TarHeader.padding(after: header.size)
      }
    }
  }
}
