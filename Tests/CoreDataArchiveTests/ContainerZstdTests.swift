internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import Foundation
internal import TestSupport
internal import Testing

/// An archive with zstd is the same tar with the same digest, and stock tools read it.
@Suite struct ContainerZstdTests {
  private let folder: ScratchFolder
  private let entries: [TestEntry]
  private let index: ArchiveIndex

  init() throws {
    folder = try ScratchFolder()
    var random = Seeded(state: 41)
    entries =
      smallEntries + [
        TestEntry("entities/Person/00001.ndjson", random.text(2_500_000)),
        TestEntry("external/\(String(repeating: "n", count: 150))", random.noise(70_000)),
      ]
    index = try writeArchive(entries, to: folder("a.tar.zst"), .zstd)
  }

  @Test func onlyPlacesDifferFromThatOfGzip() throws {
    let gzip = try writeArchive(entries, to: folder("a.tar.gz"))
    #expect(index.rootDigest == gzip.rootDigest)
    #expect(index.entries.map(\.digest) == gzip.entries.map(\.digest))
    let read = try readArchive(folder("a.tar.zst"), threads: 2)
    #expect(read.entries == entries && read.index == index && !read.isRepacked)
  }

  @Test func threadsDoNotChangeTheBytes() throws {
    try writeArchive(entries, to: folder("b.tar.zst"), .zstd, threads: 3)
    #expect(try contents(of: folder("a.tar.zst")) == contents(of: folder("b.tar.zst")))
  }

  @Test func entriesAreReadByName() throws {
    let file = try ArchiveFile(path: folder("a.tar.zst"))
    #expect(file.index == index && !file.isRepacked)
    for entry in entries.reversed() {
      #expect(try file.read(entry.name) == entry.bytes)
    }
  }

  @Test func itIsReadFromAPipe() throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder("a.tar.zst")))
    let reader = try ArchiveReader(.descriptor(file.fileDescriptor))
    var names: [String] = []
    while let header = try reader.next() { names.append(header.name) }
    #expect(names == entries.map(\.name))
  }

  @Test(arguments: ["zstd -qt a.tar.zst && tar xf a.tar.zst", "zstd -dc a.tar.zst | tar x"])
  func stockToolsUnpackIt(_ command: String) throws {
    try shell("mkdir out && cd out && mv ../a.tar.zst . && \(command)", in: folder)
    for entry in entries { #expect(try contents(of: folder("out/\(entry.name)")) == entry.bytes) }
  }

  @Test(arguments: [
    "tar --zstd -cf b -C out .", "zstd -dc a.tar.zst | zstd -19 -q > b",
    "zstd -dcq a.tar.zst > tar && zstd -q --no-check tar -o b",
    "zstd -dc a.tar.zst | gzip > b", "zstd -dc a.tar.zst | zstd -q --fast=5 | cat a.skip - > b",
  ])
  func itIsReadAgainHoweverItIsPacked(_ command: String) throws {
    // A skippable frame of two bytes, such as other programs put first.
    try write([0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2] as [UInt8], to: folder("a.skip"))
    try shell("mkdir out && tar xf a.tar.zst -C out && \(command)", in: folder)
    let read = try readArchive(folder("b"))
    #expect(read.isRepacked)
    #expect(read.entries == entries && read.index == index)
    try write(try contents(of: folder("b")).dropLast(9), to: folder("b"))
    #expect(readingError(folder("b"))?.code == .truncatedArchive)
  }

  @Test func anEncryptedOneIsRead() throws {
    let key = "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET\n"
    let identity = try #require(try ArchiveIdentity.identities(inFile: Array(key.utf8)).first)
    let recipient = try #require(identity.recipient)
    let encryption = try ArchiveEncryption(recipients: [recipient])
    let options = ArchiveWriterOptions(compression: .zstd, threads: 1, encryption: encryption)
    let writer = try ArchiveWriter(to: .file(path: folder("a.age")), options: options)
    for entry in entries { try writer.add(name: entry.name, bytes: entry.bytes) }
    #expect(try writer.finish().rootDigest == index.rootDigest)
    let reading = ArchiveReaderOptions(identities: [identity])
    let file = try ArchiveFile(path: folder("a.age"), options: reading)
    #expect(file.isEncrypted)
    for entry in entries { #expect(try file.read(entry.name) == entry.bytes) }
  }

  @Test func membersOfTheOtherFormatAreDamage() throws {
    let gzip = try writeArchive(entries, to: folder("a.tar.gz"))
    let (first, second) = try (contents(of: folder("a.tar.gz")), contents(of: folder("a.tar.zst")))
    let mixed = first.prefix(gzip.entries[1].offset) + second.dropFirst(index.entries[1].offset)
    try write(mixed, to: folder("b"))
    #expect(readingError(folder("b"))?.code == .damagedArchive)
  }

  @Test func aDamagedStreamGivesBackWhatTheIndexTellsToBeRight() throws {
    try shell("zstd -dc a.tar.zst | zstd -q > b", in: folder)
    var bytes = try contents(of: folder("b"))
    bytes[bytes.count / 2] ^= 0xFF
    try write(bytes, to: folder("b"))
    #expect(readingError(folder("b"))?.code == .damagedArchive)
    // The byte is in the noise, which is not compressed: the index shows that all else is right.
    #expect(try salvaged() == Array(entries.dropLast()))
  }

  @Test func aStreamThatIsCutOffGivesBackWhatIsBefore() throws {
    try shell("zstd -dc a.tar.zst | zstd -q > b", in: folder)
    try write(try contents(of: folder("b")).dropLast(30_000), to: folder("b"))
    #expect(try salvaged() == smallEntries)
  }

  private func salvaged() throws -> [TestEntry] {
    let reader = try ArchiveReader(
      .file(path: folder("b")), options: ArchiveReaderOptions(salvages: true))
    var found: [TestEntry] = []
    while let header = try reader.next() {
      found.append(TestEntry(header.name, try reader.readWhole()))
    }
    return found
  }

  // MARK: Hostile streams

  private func archive(_ plain: ContiguousArray<UInt8>) throws {
    try write(try HandMadeTar.zstd(plain), to: folder("b"))
  }

  @Test func whatIsNoTarIsNoArchive() throws {
    for plain in [ContiguousArray("hello".utf8), ContiguousArray(repeating: 0, count: 100_000)] {
      try archive(plain)
      #expect(readingError(folder("b"))?.code == .notAnArchive)
    }
  }

  @Test func aWindowIsLimited() throws {
    try shell("zstd -dc a.tar.zst | zstd -q --long=25 > b", in: folder)
    let error = readingError(folder("b"))
    #expect(error?.code == .archiveLimit)
    #expect(error?.advice == [.raiseLimit("repacked")])
    var options = ArchiveReaderOptions()
    options.limits.windowSize = 32 << 20
    let file = try ArchiveFile(path: folder("b"), options: options)
    #expect(file.isRepacked)
  }

  @Test func aBombIsRefused() throws {
    try shell("truncate -s 200M big && tar --zstd -cf b big && rm big", in: folder)
    let error = readingError(folder("b"))
    #expect(error?.code == .archiveLimit)
    #expect(error?.advice == [.raiseLimit("repacked")])
  }

  @Test func manyEmptyFramesAreNoArchive() throws {
    let empty: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0]
    try write(repeatElement(empty, count: 50_000).joined(), to: folder("b"))
    #expect(readingError(folder("b"))?.code == .notAnArchive)
  }

  @Test(arguments: [
    ("a.coffer.tar.zst", ArchiveCompression.zstd), ("A.TAR.ZST", .zstd), ("a.tzst", .zstd),
    ("a.coffer.tar.zst.age", .zstd), ("a.coffer.tar.gz", .gzip), ("a.tgz.age", .gzip), ("a", nil),
    ("-", nil), ("zst", nil), ("a.age", nil),
  ])
  func aNameTellsTheCompression(_ name: String, _ compression: ArchiveCompression?) {
    #expect(ArchiveCompression(fileName: name) == compression)
  }
}
