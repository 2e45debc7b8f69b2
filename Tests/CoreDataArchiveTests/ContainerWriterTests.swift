internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

@Suite struct ContainerWriterTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func indexAndDigestsOfASmallArchiveAreKnown() throws {
    let path = folder("a.coffer.tar.gz")
    let writer = try ArchiveWriter(
      to: .file(path: path), options: ArchiveWriterOptions(level: 0, threads: 0))
    try writer.add(name: smallEntries[0].name, bytes: smallEntries[0].bytes)
    try writer.add(
      name: smallEntries[1].name, bytes: smallEntries[1].bytes,
      attributes: ArchiveEntryAttributes(
        objects: [("Person", 1), ("Über\"mensch", 0)], firstKey: 1, lastKey: 1))
    try writer.add(
      name: smallEntries[2].name, bytes: smallEntries[2].bytes,
      attributes: ArchiveEntryAttributes(rows: 0))
    let index = try writer.finish()
    let json = try shell("tar xzOf a.coffer.tar.gz index.json", in: folder)
    #expect(
      json == """
        {"format":"coffer","version":1,"entries":[
        {"name":"manifest.json","offset":0,"compressed":1057,"size":20,"sha256":"c7074a39e586cf69e7b7b17edb345868c56639bf96625c31e3be68f706233219"},
        {"name":"entities/Person/00000.ndjson","offset":1057,"compressed":1057,"size":19,"sha256":"a284fda2c414df3d8908f08690614154165de22e649eaa0d8d49fa9b054ebd14","objects":{"Person":1,"Über\\"mensch":0},"first":1,"last":1},
        {"name":"external/empty","offset":2114,"compressed":545,"size":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","rows":0}
        ],"digest":"bea1e3b36f2c142fbbf416e377223d4d6f253bdcb8685ea33e4eee286668c550","content":"8d3f2e6b88d07d5dc77e5396c3680f1aa503cc50a52458ccb0c4740543651627"}

        """)
    #expect(index.encoded.elementsEqual(json.utf8))
    #expect(try ArchiveIndex.decode(index.encoded) == index)
    #expect(
      index.rootDigest.hex == "bea1e3b36f2c142fbbf416e377223d4d6f253bdcb8685ea33e4eee286668c550")
    let plain = try shell("gzip -dc a.coffer.tar.gz | sha256sum | cut -c1-64", in: folder)
    #expect(plain == "5b954fb67b0602b1256d177429e01e3d8d45e03fe58af369065a367b8de209aa\n")
    let packed = try shell("sha256sum < a.coffer.tar.gz | cut -c1-64", in: folder)
    #expect(packed == "20d9e46ee883014d65ce3f521c84a0e00bdf589c69ad2870aa044a8d9c75f98a\n")
  }

  @Test(arguments: [0, 1, 6, 9, 12])
  func stockToolsReadEveryLevel(level: Int) throws {
    var random = Seeded(state: UInt64(level))
    let entries =
      smallEntries + [
        TestEntry("entities/Person/00001.ndjson", random.text(3 << 20)),
        TestEntry("external/noise", random.noise((1 << 20) + 1)),
        TestEntry("entities/\(String(repeating: "Long", count: 40))/00000.ndjson", "x"),
        TestEntry("entities/Größe/00000.ndjson", "{}\n"),
      ]
    try writeArchive(entries, to: folder("a.tar.gz"), level: level)
    try shell("gzip -t a.tar.gz", in: folder)
    let names = try shell("tar tzf a.tar.gz --quoting-style=literal", in: folder)
    #expect(names.split(separator: "\n").map(String.init) == entries.map(\.name) + ["index.json"])
    try shell("mkdir out && tar xzf a.tar.gz -C out", in: folder)
    for entry in entries { #expect(try contents(of: folder("out/\(entry.name)")) == entry.bytes) }
    let python = """
      import sys, tarfile, gzip, hashlib, json
      def sums(t):
        return {m.name: hashlib.sha256(t.extractfile(m).read()).hexdigest() for m in t}
      a = sums(tarfile.open('a.tar.gz'))
      b = sums(tarfile.open(fileobj=gzip.open(open('a.tar.gz', 'rb')), mode='r|'))
      assert a == b
      index = json.load(tarfile.open('a.tar.gz').extractfile('index.json'))
      del a['index.json']
      assert a == {e['name']: e['sha256'] for e in index['entries']}
      lines = b''.join(n.encode() + b'\\0' + a[n].encode() + b'\\n' for n in sorted(a, key=str.encode))
      assert hashlib.sha256(lines).hexdigest() == index['digest']
      data = open('a.tar.gz', 'rb').read()
      for e in index['entries']:
        piece = gzip.decompress(data[e['offset']:e['offset'] + e['compressed']])
        assert hashlib.sha256(piece[-(e['size'] + 511 & ~511) or len(piece):][:e['size']]).hexdigest() == e['sha256']
      """
    try write(python.utf8, to: folder("check.py"))
    try shell("python3 check.py", in: folder)
    #expect(try readArchive(folder("a.tar.gz")).entries == entries)
  }

  @Test func bytesDoNotDependOnTheNumberOfThreads() throws {
    var random = Seeded(state: 7)
    let entries =
      smallEntries
      + (0..<12).map { TestEntry("entities/A/0000\($0).ndjson", random.text(700_000 * ($0 % 4))) }
    var archives: Set<ContiguousArray<UInt8>> = []
    for threads in [0, 1, 2, 8] {
      let path = folder("\(threads).tar.gz")
      try writeArchive(entries, to: path, threads: threads)
      archives.insert(try contents(of: path))
      for reading in [0, 1, 4] {
        #expect(try readArchive(path, threads: reading).entries == entries)
      }
    }
    #expect(archives.count == 1)
  }

  /// Entries that were compressed elsewhere equal the writer's own, also without content and in
  /// pieces.
  @Test(arguments: [0, 6])
  func entriesFromElsewhereAreTheSameBytes(_ level: Int) throws {
    var random = Seeded(state: 11)
    let sizes = [0, 1, 512, 700_000, 1_048_576, 2_097_152, 2_500_000]
    let texts = sizes.map { random.text($0) }
    let first = (0..<3).map { NumberedEntryName(folder: "f", number: $0, ending: "ndjson") }
    let plain = try ArchiveWriter(
      to: .file(path: folder("plain")), options: ArchiveWriterOptions(level: level, threads: 1))
    let joined = try ArchiveWriter(
      to: .file(path: folder("joined")), options: ArchiveWriterOptions(level: level, threads: 1))
    for writer in [plain, joined] { try writer.add(name: "manifest.json", bytes: [1, 2]) }
    var compressor = try EntryCompressor(ArchiveWriterOptions(level: level))
    var isWhole = false
    for (index, content) in texts.enumerated() {
      for var name in first {
        name.folder += "\(index)"
        let attributes = ArchiveEntryAttributes(rows: index)
        try plain.beginEntry(name, size: content.count, attributes: attributes)
        try plain.write(content)
        try plain.endEntry()
        // The numbers of the later ones become known after their compression.
        let behind = name.number > 0 ? 1 : 0
        name.number -= behind
        compressor.beginEntry(
          name, size: content.count, hasHeader: behind == 0, attributes: attributes)
        for start in stride(from: 0, to: content.count, by: 300_000) {
          let piece = ContiguousArray(content[start..<min(start + 300_000, content.count)])
          try unsafe piece.withBytes { bytes throws(CofferError) in
            try unsafe compressor.write(bytes)
          }
          if isWhole { continue }
          var taken = compressor.take()
          taken.addToPartNumbers(behind)
          try joined.append(taken)
        }
        try compressor.endEntry()
        var taken = compressor.take()
        taken.addToPartNumbers(behind)
        try joined.append(taken)
        compressor.reuse(taken)
        isWhole.toggle()
      }
    }
    #expect(try plain.finish() == joined.finish())
    #expect(try contents(of: folder("plain")) == contents(of: folder("joined")))
    let read = try readArchive(folder("joined"), threads: 1)
    #expect(read.entries.map(\.bytes.count) == [2] + sizes.flatMap { [$0, $0, $0] })
  }

  @Test func aPieceThatIsNotAsLongAsItSaysIsRefused() throws {
    var compressor = try EntryCompressor(ArchiveWriterOptions(level: 0))
    let name = NumberedEntryName(folder: "f", number: 0, ending: "value-0")
    compressor.beginEntry(name, size: 3, hasHeader: true, attributes: ArchiveEntryAttributes())
    var codes: [CofferError.Code] = []
    do throws(CofferError) { try compressor.endEntry() } catch { codes.append(error.code) }
    let bytes: ContiguousArray<UInt8> = [1, 2, 3, 4]
    do throws(CofferError) {
      try unsafe bytes.withBytes { bytes throws(CofferError) in
        try unsafe compressor.write(bytes)
      }
    } catch { codes.append(error.code) }
    #expect(codes == [.writeFailed, .writeFailed])
  }

  @Test(arguments: [0, 1, 511, 512, 513, 1_048_575, 1_048_576, 1_048_577, 2_097_152, 5_000_000])
  func entriesOfEverySizeComeBack(size: Int) throws {
    var random = Seeded(state: UInt64(size))
    let entries = [
      TestEntry("manifest.json", "{}"), TestEntry("text", random.text(size)),
      TestEntry("noise", random.noise(size)),
    ]
    let path = folder("a.tar.gz")
    try writeArchive(entries, to: path, level: 1, threads: 2)
    let read = try readArchive(path, threads: 1)
    #expect(read.entries == entries)
    #expect(read.index?.entries.map(\.size) == [2, size, size])
    let file = try ArchiveFile(path: path)
    for entry in entries.reversed() { #expect(try file.read(entry.name) == entry.bytes) }
  }

  @Test func piecesGiveTheSameBytesAsAWhole() throws {
    var random = Seeded(state: 3)
    let bytes = random.text(2_500_000)
    try writeArchive([TestEntry("a", bytes)], to: folder("whole"))
    let writer = try ArchiveWriter(
      to: .file(path: folder("pieces")), options: ArchiveWriterOptions(threads: 2))
    try writer.beginEntry(name: "a", size: bytes.count)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + Int(random.next() % 200_000))
      try writer.write(ContiguousArray(bytes[start..<end]))
      start = end
    }
    try writer.endEntry()
    _ = try writer.finish()
    #expect(try contents(of: folder("whole")) == contents(of: folder("pieces")))
  }

  @Test func existingFileIsRefusedAndStays() throws {
    let path = folder("a.tar.gz")
    try write("old".utf8, to: path)
    let error = #expect(throws: CofferError.self) { try writeArchive(smallEntries, to: path) }
    #expect(error?.code == .outputExists)
    #expect(error?.place.path == path)
    #expect(try folder.names == ["a.tar.gz"])
    #expect(try contents(of: path).elementsEqual("old".utf8))
  }

  @Test func existingFileIsReplacedOnlyAtTheEnd() throws {
    let path = folder("a.tar.gz")
    try write("old".utf8, to: path)
    let writer = try ArchiveWriter(to: .file(path: path, overwriting: true))
    try writer.add(name: "manifest.json", bytes: [0x7b, 0x7d])
    #expect(try contents(of: path).elementsEqual("old".utf8))
    _ = try writer.finish()
    #expect(readingError(path) == nil)
    #expect(try folder.names == ["a.tar.gz"])
  }

  @Test func fileThatAppearsMeanwhileIsNotReplaced() throws {
    let path = folder("a.tar.gz")
    let writer = try ArchiveWriter(to: .file(path: path))
    try writer.add(name: "manifest.json", bytes: [0x7b, 0x7d])
    try write("other".utf8, to: path)
    let error = #expect(throws: CofferError.self) { _ = try writer.finish() }
    #expect(error?.code == .outputExists)
    #expect(try contents(of: path).elementsEqual("other".utf8))
    #expect(try folder.names == ["a.tar.gz"])
  }

  @Test func abandonedWriterLeavesNothing() throws {
    var random = Seeded(state: 1)
    do {
      let writer = try ArchiveWriter(to: .file(path: folder("a.tar.gz")))
      try writer.add(name: "a", bytes: random.text(3_000_000))
      let partial = try #require(writer.partialPath)
      #expect(FileManager.default.fileExists(atPath: partial))
      #expect(try folder.names.count == 1)
      #expect(partial.contains("/.a.tar.gz.coffer-partial-"))
    }
    #expect(try folder.names == [])
  }

  @Test func writerStaysFailedAfterAnError() throws {
    let writer = try ArchiveWriter(to: .file(path: folder("a.tar.gz")))
    try writer.beginEntry(name: "a", size: 1)
    let error = #expect(throws: CofferError.self) { try writer.write([1, 2]) }
    #expect(error?.code == .writeFailed)
    #expect(error?.place.entry == "a")
    #expect(try folder.names == [])
    #expect(throws: CofferError.self) { try writer.endEntry() }
  }

  @Test(arguments: [
    "", "/a", "a/", "a//b", ".", "..", "./a", "a/../b", "a\n", "index.json",
    String(repeating: "x", count: 1025),
  ])
  func nameThatCannotBeAnEntrysIsRefused(name: String) throws {
    let writer = try ArchiveWriter(to: .file(path: folder("a.tar.gz")))
    let error = #expect(throws: CofferError.self) { try writer.add(name: name, bytes: []) }
    #expect(error?.code == .invalidEntryName)
    #expect(try folder.names == [])
  }

  @Test func secondEntryOfANameIsRefused() throws {
    let writer = try ArchiveWriter(to: .file(path: folder("a.tar.gz")))
    try writer.add(name: "a", bytes: [])
    let error = #expect(throws: CofferError.self) { try writer.add(name: "a", bytes: []) }
    #expect(error?.code == .invalidEntryName)
  }

  @Test func closedPipeIsAnErrorOfItsOwn() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    var random = Seeded(state: 1)
    let writer = try ArchiveWriter(
      to: .descriptor(pipe.fileHandleForWriting.fileDescriptor),
      options: ArchiveWriterOptions(threads: 2))
    let error = #expect(throws: CofferError.self) {
      try writer.add(name: "a", bytes: random.text(10_000_000))
      _ = try writer.finish()
    }
    #expect(error?.code == .outputClosed)
    #expect(error?.place.path == "standard output")
  }

  @Test func fullDiskIsAWriteError() throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let writer = try ArchiveWriter(to: .descriptor(full.fileDescriptor))
    let error = #expect(throws: CofferError.self) { _ = try writer.finish() }
    #expect(error?.code == .writeFailed)
  }

  @Test func missingFolderIsAWriteError() throws {
    let error = #expect(throws: CofferError.self) {
      _ = try ArchiveWriter(to: .file(path: folder("none/a.tar.gz")))
    }
    #expect(error?.code == .writeFailed)
  }
}

@Suite struct LargeEntryTests {
  @Test func anEntryOfAHundredMegabytesIsReadWhole() throws {
    let folder = try ScratchFolder()
    var random = Seeded(state: 31)
    let piece = random.text(1 << 20)
    let count = 100
    let writer = try ArchiveWriter(
      to: .file(path: folder("a")), options: ArchiveWriterOptions(level: 1, threads: 2))
    try writer.beginEntry(name: "big", size: count * piece.count)
    for _ in 0..<count { try writer.write(piece) }
    try writer.endEntry()
    let index = try writer.finish()
    #expect(index["big"]?.size == count << 20)
    let reader = try ArchiveReader(.file(path: folder("a")))
    var read = 0
    var room = ContiguousArray<UInt8>(repeating: 0, count: 300_000)
    while try reader.next() != nil {
      var got = 0
      repeat {
        got = try unsafe room.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
        read += got
      } while got > 0
    }
    #expect(read == count << 20)
  }
}
