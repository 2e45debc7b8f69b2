internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import Foundation
internal import Testing

@Suite struct ContainerDamageTests {
  let folder: ScratchFolder
  let readingCodes: Set<CofferError.Code> = [
    .truncatedArchive, .damagedArchive, .archiveLimit, .newerFormat,
  ]

  init() throws { folder = try ScratchFolder() }

  /// Checks that reading forward and by name both find an error, and that the error has a place.
  private func expectError(
    _ bytes: some Collection<UInt8>, _ what: String, byName: Bool = true,
    codes: Set<CofferError.Code>
  ) throws {
    let path = folder("damaged")
    try write(bytes, to: path)
    let error = try #require(readingError(path), "\(what): read without an error")
    #expect(codes.contains(error.code), "\(what): \(error)")
    #expect(error.place.path == path, "\(what): \(error)")
    #expect(
      error.place.offset != nil || error.place.entry != nil || error.code == .notAnArchive,
      "\(what): \(error)")
    if byName { #expect(randomAccessError(path) != nil, "\(what): read by name without an error") }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func everyTruncationOfASmallArchiveIsFound(_ compression: ArchiveCompression) throws {
    let path = folder("a")
    try writeArchive(smallEntries, to: path, compression)
    let bytes = try contents(of: path)
    for count in 0..<bytes.count {
      try expectError(bytes.prefix(count), "first \(count) bytes", codes: [.truncatedArchive])
    }
    #expect(readingError(path) == nil)
  }

  @Test(arguments: [0, 2], ArchiveCompression.allCases)
  func truncationsOfALargerArchiveAreFound(
    threads: Int, _ compression: ArchiveCompression
  ) throws {
    var random = Seeded(state: 5)
    let path = folder("a")
    try writeArchive(
      smallEntries + [
        TestEntry("text", random.text(1_500_000)), TestEntry("noise", random.noise(60_000)),
      ], to: path, compression)
    let bytes = try contents(of: path)
    for count in stride(from: 1, to: bytes.count, by: 997) {
      try write(bytes.prefix(count), to: path)
      let error = try #require(readingError(path, threads: threads))
      #expect(error.code == .truncatedArchive)
      #expect((error.place.offset ?? .max) <= count)
    }
  }

  @Test func cutBetweenTwoEntriesIsFound() throws {
    let path = folder("a")
    let index = try writeArchive(smallEntries, to: path)
    let bytes = try contents(of: path)
    for entry in index.entries {
      let end = entry.offset + entry.compressedSize
      try expectError(bytes.prefix(end), "cut behind \(entry.name)", codes: [.truncatedArchive])
    }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func cutPipeIsFound(_ compression: ArchiveCompression) throws {
    let path = folder("a")
    try writeArchive(smallEntries, to: path, compression)
    let bytes = try contents(of: path)
    for count in [0, 1, 19, 20, 100, bytes.count / 2, bytes.count - 42, bytes.count - 1] {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: bytes.prefix(count))
      try pipe.fileHandleForWriting.close()
      let error = #expect(throws: CofferError.self) {
        let reader = try ArchiveReader(.descriptor(pipe.fileHandleForReading.fileDescriptor))
        while try reader.next() != nil {}
      }
      #expect(error?.code == .truncatedArchive)
      #expect(error?.place.path.hasPrefix("standard input") == true)
    }
  }

  /// At most one flip is harmless for each member, the three entries and the index, and at level 2 of zstd one
  /// more.
  @Test(
    arguments: [(.gzip, 5, 4), (.zstd, 3, 4), (.zstd, 2, 5)] as [(ArchiveCompression, Int, Int)])
  func everyFlippedBitOfASmallArchiveIsFound(
    _ compression: ArchiveCompression, level: Int, maxHarmless: Int
  ) throws {
    let path = folder("a")
    try writeArchive(smallEntries, to: path, compression, level: level)
    let bytes = try contents(of: path)
    var harmless = 0
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 1 << UInt8(position % 8)
      // The bits behind a deflate stream in its last byte mean nothing (RFC 1951), nor do those behind the
      // tables of a zstd block, and two of the byte before them (RFC 8878): nothing is lost.
      try write(damaged, to: path)
      if readingError(path) == nil, try readArchive(path).entries == smallEntries {
        harmless += 1
        continue
      }
      // A flip in the first bytes leaves no archive; one in a length may point behind the end.
      try expectError(
        damaged, "bit \(position % 8) of byte \(position)", byName: position > 3,
        codes: [.damagedArchive, .truncatedArchive, .notAnArchive])
    }
    #expect(harmless <= maxHarmless)
  }

  @Test(arguments: ArchiveCompression.allCases)
  func everyBitOfEveryMemberFrameMatters(_ compression: ArchiveCompression) throws {
    var random = Seeded(state: 9)
    let path = folder("a")
    let index = try writeArchive(
      smallEntries + [TestEntry("text", random.text(1_100_000))], to: path, compression, level: 1)
    let bytes = try contents(of: path)
    let (headerSize, trailerSize) = compression == .gzip ? (20, 8) : (30, 4)
    var frames: Set<Int> = Set((bytes.count - trailerSize - 37)..<bytes.count)
    for entry in index.entries {
      frames.formUnion(entry.offset..<(entry.offset + headerSize))
      let end = entry.offset + entry.compressedSize
      frames.formUnion((end - trailerSize)..<(end + headerSize))
    }
    for position in frames.sorted() {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        try write(damaged, to: path)
        let error = try #require(readingError(path), "bit \(bit) of byte \(position)")
        #expect([.damagedArchive, .truncatedArchive, .notAnArchive].contains(error.code))
      }
    }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func sampledFlipsInEveryKindOfMemberAreFound(_ compression: ArchiveCompression) throws {
    var random = Seeded(state: 11)
    let path = folder("a")
    try writeArchive(
      smallEntries + [
        TestEntry("text", random.text(1_200_000)), TestEntry("noise", random.noise(1_200_000)),
      ], to: path, compression)
    let bytes = try contents(of: path)
    for _ in 0..<300 {
      let position = Int(random.next() % UInt64(bytes.count))
      var damaged = bytes
      damaged[position] ^= 1 << UInt8(random.next() % 8)
      try write(damaged, to: path)
      #expect(readingError(path, threads: Int(random.next() % 3)) != nil, "byte \(position)")
    }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func bytesBehindTheEndAreFound(_ compression: ArchiveCompression) throws {
    let path = folder("a")
    try writeArchive(smallEntries, to: path, compression)
    let bytes = try contents(of: path)
    try expectError(bytes + [0], "one zero byte", codes: [.damagedArchive])
    try expectError(bytes + bytes, "the archive twice", byName: false, codes: [.damagedArchive])
  }

  @Test(arguments: ArchiveCompression.allCases)
  func missingDoubledOrSwappedEntriesAreFound(_ compression: ArchiveCompression) throws {
    let path = folder("a")
    let index = try writeArchive(smallEntries, to: path, compression)
    let bytes = try contents(of: path)
    let cuts = index.entries.map(\.offset) + [index.entries.reduce(0) { $0 + $1.compressedSize }]
    let pieces = zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
    let end = Array(bytes[(cuts.last ?? 0)...])
    for order in [[0, 1], [0, 1, 1, 2], [0, 2, 1], [1, 0, 2], [2], []] {
      let changed = order.flatMap { pieces[$0] } + end
      try expectError(changed, "entries \(order)", codes: [.damagedArchive])
    }
  }

  @Test func textThatIsNoArchiveIsNamed() throws {
    for text in ["SQLite format 3", "PK\u{3}\u{4}and more bytes than twenty", "{}"] {
      try write(text.utf8, to: folder("a"))
      #expect(readingError(folder("a"))?.code == .notAnArchive)
      #expect(randomAccessError(folder("a"))?.code == .notAnArchive)
    }
    #expect(readingError(folder("none"))?.code == .notFound)
    #expect(readingError(folder.path)?.code == .notAnArchive)
  }

  @Test func tooLargeAnEntryIsNotReadIntoMemory() throws {
    let path = folder("a")
    try writeArchive([TestEntry("manifest.json", "0123456789")], to: path)
    let error = #expect(throws: CofferError.self) {
      var limits = ArchiveLimits.standard
      limits.partSize = 9
      let reader = try ArchiveReader(
        .file(path: path), options: ArchiveReaderOptions(limits: limits))
      _ = try reader.next()
      _ = try reader.readWhole()
    }
    #expect(error?.code == .archiveLimit)
    #expect(error?.place.entry == "manifest.json")
    #expect(error?.advice == [.raiseLimit("lines")])
  }

  /// Members with arbitrary content, to make archives that no writer makes.
  private func archive(_ members: [ContiguousArray<UInt8>]) throws -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    var compressor = try BlockCompressor(level: 6)
    var last = 0
    for member in members {
      last = output.count
      unsafe member.withUnsafeBytes { bytes in
        unsafe compressor.appendMember(bytes, to: &output)
      }
    }
    return output + MemberFormat.gzip.footer(indexOffset: UInt64(last))
  }

  private func entry(_ name: String, _ text: String, zeros: Int = 0) -> ContiguousArray<UInt8> {
    let padding = TarHeader.padding(after: text.utf8.count) + zeros
    return TarHeader(name: name, size: text.utf8.count).encoded + ContiguousArray(text.utf8)
      + ContiguousArray(repeating: 0, count: padding)
  }

  private let emptyIndex = """
    {"format":"coffer","version":1,"entries":[],"digest":\
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}
    """

  @Test func emptyArchiveIsRead() throws {
    let path = folder("a")
    try write(try archive([entry("index.json", emptyIndex, zeros: 1024)]), to: path)
    #expect(readingError(path) == nil)
    #expect(randomAccessError(path) == nil)
  }

  @Test func newerFormatIsNamed() throws {
    let newer = emptyIndex.replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
    try write(try archive([entry("index.json", newer, zeros: 1024)]), to: folder("a"))
    #expect(readingError(folder("a"))?.code == .newerFormat)
    #expect(randomAccessError(folder("a"))?.code == .newerFormat)
  }

  @Test func contradictionsInTheTarAreFound() throws {
    let index = entry("index.json", emptyIndex, zeros: 1024)
    var dirtyPadding = entry("a", "x")
    dirtyPadding[700] = 1
    let cases: [(String, [ContiguousArray<UInt8>])] = [
      ("index that misses an entry", [entry("a", "x"), index]),
      ("padding that is not zero", [dirtyPadding, index]),
      ("bytes behind an entry", [entry("a", "x", zeros: 512), index]),
      ("no end of the tar", [entry("index.json", emptyIndex)]),
      ("too long an end of the tar", [entry("index.json", emptyIndex, zeros: 1536)]),
      ("an end of the tar in front", [ContiguousArray(repeating: 0, count: 1024), index]),
      ("half a header", [ContiguousArray(entry("a", "x")[..<300]), index]),
      ("absolute name", [entry("/a", "x"), index]),
      ("name that leaves the folder", [entry("a/../../b", "x"), index]),
      ("entry behind the index", [index, entry("a", "x")]),
      ("member of no bytes", [[], index]),
      ("index that is no JSON", [entry("index.json", "{", zeros: 1024)]),
      ("member of zeros beyond the limit", [ContiguousArray(repeating: 0, count: (4 << 20) + 1)]),
    ]
    for (what, members) in cases {
      try expectError(try archive(members), what, codes: [.damagedArchive])
    }
    for type in [0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x4b, 0x53, 0x5a] as [UInt8] {
      var other = entry("a", "")
      var sum = 0
      other[156] = type
      for (position, byte) in other.prefix(512).enumerated() {
        sum += (148..<156).contains(position) ? 0x20 : Int(byte)
      }
      for digit in 0..<6 { other[148 + digit] = UInt8(0x30 + sum >> (3 * (5 - digit)) & 7) }
      try expectError(try archive([other, index]), "type \(type)", codes: [.damagedArchive])
    }
  }

  @Test func indexThatPointsOutsideIsFound() throws {
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for (offset, compressed) in [
      ("0", "999999999"), ("9007199254740991", "1"), ("1", "9007199254740991"),
      ("9223372036854775807", "1"), ("-1", "1"), ("1e3", "1"), ("99999999999999999999", "1"),
    ] {
      let json = """
        {"format":"coffer","version":1,"entries":[{"name":"a","offset":\(offset),\
        "compressed":\(compressed),"size":0,"sha256":"\(digest)"}],"digest":\
        "84a0bc84a8906a8501a34e9aedb06be93452d06bc32b71d61f0b334cd5559d9b"}
        """
      let bytes = try archive([entry("a", ""), entry("index.json", json, zeros: 1024)])
      try expectError(bytes, "offset \(offset), \(compressed) bytes", codes: [.damagedArchive])
      // The root digest is right, so it must be the place that is refused.
      #expect(randomAccessError(folder("damaged"))?.detail.contains("digest") == false)
      #expect(readingError(folder("damaged"))?.detail.contains("digest") == false)
    }
  }
}
