internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

@Suite struct ContainerRepackTests {
  let folder: ScratchFolder
  let entries: [TestEntry]

  init() throws {
    folder = try ScratchFolder()
    var random = Seeded(state: 21)
    entries =
      smallEntries + [
        TestEntry("entities/Person/00001.ndjson", random.text(1_500_000)),
        TestEntry("external/\(String(repeating: "n", count: 150))", random.noise(70_000)),
      ]
    try writeArchive(entries, to: folder("a.tar.gz"))
    try shell("mkdir out && tar xzf a.tar.gz -C out", in: folder)
  }

  @Test(arguments: [
    "tar czf b.tar.gz -C out .",
    "tar czf b.tar.gz -C out $(cd out && ls | sort -r)",
    "tar czf b.tar.gz --format=gnu -C out .",
    "tar czf b.tar.gz --format=posix -C out .",
    "tar cf - -C out index.json entities external manifest.json | gzip -1 > b.tar.gz",
    "gzip -dc a.tar.gz | gzip -9 > b.tar.gz",
    "touch out/._index.json out/entities/.DS_Store; tar czf b.tar.gz -C out .",
  ])
  func archiveOfStockToolsIsRead(command: String) throws {
    try shell(command, in: folder)
    let read = try readArchive(folder("b.tar.gz"))
    #expect(read.isRepacked)
    #expect(read.entries == entries)
    let original = try readArchive(folder("a.tar.gz"))
    #expect(!original.isRepacked)
    #expect(read.index == original.index)
    let file = try ArchiveFile(path: folder("b.tar.gz"))
    #expect(file.isRepacked)
    for entry in entries.reversed() { #expect(try file.read(entry.name) == entry.bytes) }
  }

  @Test func archiveOfPythonIsRead() throws {
    try shell(
      "python3 -c \"import tarfile; t = tarfile.open('b.tar.gz', 'w:gz'); "
        + "t.add('out', arcname='.'); t.close()\"", in: folder)
    #expect(try readArchive(folder("b.tar.gz")).entries == entries)
  }

  @Test func temporaryFolderIsEmptyAfterwards() throws {
    let temporary = try ScratchFolder()
    try shell("tar czf b.tar.gz -C out .", in: folder)
    let options = ArchiveReaderOptions(temporaryFolder: temporary.path)
    let reader = try ArchiveReader(.file(path: folder("b.tar.gz")), options: options)
    #expect(try temporary.names == [])
    while try reader.next() != nil {}
    let bytes = try contents(of: folder("b.tar.gz"))
    try write(bytes.prefix(bytes.count / 2), to: folder("b.tar.gz"))
    let error = #expect(throws: CofferError.self) {
      _ = try ArchiveReader(.file(path: folder("b.tar.gz")), options: options)
    }
    #expect(error?.code == .truncatedArchive)
    #expect(try temporary.names == [])
  }

  @Test(arguments: [
    ("rm out/index.json", "truncated-archive"),
    ("rm out/index.json out/manifest.json", "not-an-archive"),
    ("rm out/manifest.json", "damaged-archive"),
    ("echo x > out/more", "damaged-archive"),
    ("echo x >> out/manifest.json", "damaged-archive"),
    (
      "printf '%s' '{\"Format\":\"coffer\"}' > out/manifest.json; echo >> out/manifest.json",
      "damaged-archive"
    ),
    ("echo '{' > out/index.json", "damaged-archive"),
    ("ln -s manifest.json out/link", "damaged-archive"),
    ("ln out/manifest.json out/hard", "damaged-archive"),
    ("mkfifo out/pipe", "damaged-archive"),
  ])
  func changedContentIsFound(command: String, code: String) throws {
    try shell("\(command); tar czf b.tar.gz -C out .", in: folder)
    #expect(readingError(folder("b.tar.gz"))?.code.text == code)
    #expect(randomAccessError(folder("b.tar.gz"))?.code.text == code)
  }

  @Test(arguments: ["/etc/passwd", "../../x", "a/../../x", "manifest.json", "a\u{1}"])
  func hostileNamesAreRefused(name: String) throws {
    let python = """
      import tarfile, io, sys
      t = tarfile.open('b.tar.gz', 'w:gz')
      t.add('out', arcname='.')
      t.addfile(tarfile.TarInfo(\(name.debugDescription.replacingOccurrences(of: "\\u{01}", with: "\\x01"))), io.BytesIO())
      t.close()
      """
    try write(python.utf8, to: folder("make.py"))
    try shell("python3 make.py", in: folder)
    #expect(readingError(folder("b.tar.gz"))?.code == .damagedArchive)
  }

  @Test func hugePaxHeaderIsRefused() throws {
    let python = """
      import tarfile, io
      t = tarfile.open('b.tar.gz', 'w:gz', format=tarfile.PAX_FORMAT)
      i = tarfile.TarInfo('manifest.json')
      i.pax_headers = {'comment': 'x' * 1000000}
      t.add('out', arcname='.')
      t.addfile(i, io.BytesIO())
      t.close()
      """
    try write(python.utf8, to: folder("make.py"))
    try shell("python3 make.py", in: folder)
    #expect(readingError(folder("b.tar.gz"))?.code == .archiveLimit)
  }

  @Test func gzipThatHoldsNoTarIsNoArchive() throws {
    for command in ["echo hello", "head -c 100000 /dev/zero", "cat /bin/ls"] {
      try shell("\(command) | gzip > b.tar.gz", in: folder)
      let code = readingError(folder("b.tar.gz"))?.code
      #expect(code == .notAnArchive, "\(command)")
    }
  }

  @Test func bombIsRefused() throws {
    try shell("truncate -s 200M big && tar czf c.tar.gz big && rm big", in: folder)
    #expect(readingError(folder("c.tar.gz"))?.code == .archiveLimit)
  }
}
