internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

/// Archives that are encrypted: written, read forward, and read from anywhere.
@Suite struct EncryptedArchiveTests {
  private static let key =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET\n"
  private let folder: ScratchFolder
  private let identities: [ArchiveIdentity]
  private let options: ArchiveReaderOptions

  init() throws {
    folder = try ScratchFolder()
    identities = try ArchiveIdentity.identities(inFile: Array(Self.key.utf8))
    options = ArchiveReaderOptions(threads: 1, temporaryFolder: folder.path, identities: identities)
  }

  /// The names and contents of the entries; large enough for several chunks, also without compression.
  private static let entries: [(name: String, bytes: ContiguousArray<UInt8>)] = {
    var generator = Seeded(state: 5)
    let sizes = [("manifest.json", 100), ("a", 0), ("b", 70_000), ("c", 3_000_000), ("d", 5)]
    return sizes.map { name, size in
      (name, ContiguousArray((0..<size).map { _ in UInt8.random(in: 0...63, using: &generator) }))
    }
  }()

  private func write(
    _ path: String, encryption: ArchiveEncryption?, threads: Int = 2
  ) throws -> ArchiveWriter {
    let writer = try ArchiveWriter(
      to: .file(path: path),
      options: ArchiveWriterOptions(level: 1, threads: threads, encryption: encryption))
    for entry in Self.entries { try writer.add(name: entry.name, bytes: entry.bytes) }
    return writer
  }

  private func encrypted(_ name: String = "a.age") throws -> String {
    let recipient = try #require(identities[0].recipient)
    let path = folder(name)
    _ = try write(path, encryption: ArchiveEncryption(recipients: [recipient])).finish()
    return path
  }

  private func read(_ source: ArchiveSource, _ options: ArchiveReaderOptions) throws {
    let reader = try ArchiveReader(source, options: options)
    for entry in Self.entries {
      #expect(try reader.next()?.name == entry.name)
      #expect(try reader.readWhole() == entry.bytes)
    }
    #expect(try reader.next() == nil)
    #expect(reader.isEncrypted)
  }

  @Test func whatIsWrittenIsReadForwardAndFromAnywhere() throws {
    let path = try encrypted()
    try read(.file(path: path), options)
    let file = try ArchiveFile(path: path, options: options)
    #expect(file.isEncrypted)
    for entry in Self.entries.reversed() { #expect(try file.read(entry.name) == entry.bytes) }
    #expect(try folder.names == ["a.age"])
  }

  @Test func theFileHoldsNoPlainBytes() throws {
    _ = try write(folder("plain"), encryption: nil).finish()
    let plain = try contents(of: folder("plain"))
    let sealed = try contents(of: try encrypted())
    let chunks = (plain.count + 65_535) / 65_536
    #expect(sealed.count > plain.count + 16 * chunks)
    for sample in [plain[0..<16], plain[100_000..<100_016], plain.suffix(16)] {
      #expect(sealed.firstRange(of: sample) == nil)
    }
  }

  @Test func thePlainBytesAreThoseOfAnArchiveThatIsNot() throws {
    let path = try encrypted()
    let first = try ArchiveFile(path: path, options: options).index
    let index = try write(folder("plain"), encryption: nil).finish()
    #expect(first.rootDigest == index.rootDigest)
    #expect(first.entries == index.entries)
    #expect(try contents(of: encrypted("b.age")) != contents(of: path))
  }

  @Test func nothingPlainIsWrittenOnTheWay() throws {
    let recipient = try #require(identities[0].recipient)
    let writer = try write(
      folder("a.age"), encryption: ArchiveEncryption(recipients: [recipient]), threads: 0)
    let partial = try #require(writer.partialPath)
    let bytes = try contents(of: partial)
    #expect(bytes.starts(with: "age-encryption.org/v1\n".utf8))
    #expect(bytes.firstRange(of: Array("manifest.json".utf8)) == nil)
    #expect(writer.byteCount == bytes.count)
    #expect(try folder.names.count == 1)
    writer.abandon()
    #expect(try folder.names == [])
  }

  @Test func identitiesDoNotMatterWhereNothingIsEncrypted() throws {
    _ = try write(folder("plain"), encryption: nil).finish()
    let reader = try ArchiveReader(.file(path: folder("plain")), options: options)
    while try reader.next() != nil {}
    #expect(!reader.isEncrypted)
    #expect(try ArchiveFile(path: folder("plain"), options: options).isEncrypted == false)
  }

  @Test func withoutAnIdentityItIsAnError() throws {
    let path = try encrypted()
    let none = ArchiveReaderOptions()
    expect(.encryptedArchive) { try ArchiveReader(.file(path: path), options: none).next() }
    expect(.encryptedArchive) { try ArchiveFile(path: path, options: none) }
    let other = ArchiveReaderOptions(
      identities: [try ArchiveIdentity(passphrase: Array("secret".utf8))])
    expect(.noMatchingIdentity) { try ArchiveReader(.file(path: path), options: other).next() }
    expect(.noMatchingIdentity) { try ArchiveFile(path: path, options: other) }
  }

  @Test func otherContentIsNoArchive() throws {
    let output = folder("text.age")
    // Made with age: "Trips and notes", for the key of these tests.
    let text = """
      YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBRZTk0a00wRDVINERrSXBzb2pYUmtlOFFWUU5rRDFxZVJrOUR1NHBo\
      WWdZCktncUhSNUNORjZXUlE1cHI5Y2QyZzUvTUpJM0ZCaU5UZTZSR3B4ZitQM2cKLS0tIHl2OEVjaVpuaXhFNG9VdWYzMCtk\
      UFNqalZjNHd5ems5S1dPRWNKcWp0MjgK/RV5VMC72n4ORCyCaX5zXi6RFWW9AUQmybQ//vBuqjJ5aNoB2FKFz0lwlA054vDZ
      """
    try CoreDataArchiveTests.write(try #require(Data(base64Encoded: text)), to: output)
    expect(.notAnArchive) { try ArchiveReader(.file(path: output), options: options).next() }
    expect(.notAnArchive) { try ArchiveFile(path: output, options: options) }
  }

  @Test func damageIsNoticedWhereverItIs() throws {
    let bytes = try contents(of: try encrypted())
    let damaged = folder("damaged")
    for place in stride(from: 30, to: bytes.count, by: 40_009) {
      var changed = bytes
      changed[place] ^= 0x10
      try CoreDataArchiveTests.write(changed, to: damaged)
      #expect(throws: CofferError.self, "byte \(place)") {
        try read(.file(path: damaged), options)
      }
      #expect(throws: CofferError.self, "byte \(place)") {
        let file = try ArchiveFile(path: damaged, options: options)
        for entry in Self.entries { _ = try file.read(entry.name) }
      }
    }
    for length in [0, 3, 4, 20, 100, 200, 300, 65_536, bytes.count - 1] {
      try CoreDataArchiveTests.write(bytes.prefix(length), to: damaged)
      #expect(throws: CofferError.self) { try read(.file(path: damaged), options) }
      #expect(throws: CofferError.self) { try ArchiveFile(path: damaged, options: options) }
    }
  }

  @Test func whatStandsBeforeTheDamageIsRead() throws {
    let plain = try write(folder("plain"), encryption: nil).finish()
    let place = try #require(plain["c"]).offset + 400_000
    var bytes = try contents(of: try encrypted())
    bytes[place] ^= 1
    try CoreDataArchiveTests.write(bytes, to: folder("damaged"))
    let reader = try ArchiveReader(.file(path: folder("damaged")), options: options)
    for entry in Self.entries.prefix(3) {
      #expect(try reader.next()?.name == entry.name)
      #expect(try reader.readWhole() == entry.bytes)
    }
    expect(.damagedEncryption) {
      while try reader.next() != nil {}
      return nil
    }
  }

  @Test func aPassphraseIsDerivedOnce() throws {
    let bytes = Array("correct horse".utf8)
    _ = try write(folder("p.age"), encryption: ArchiveEncryption(passphrase: bytes)).finish()
    let identity = try ArchiveIdentity(passphrase: bytes)
    let options = ArchiveReaderOptions(identities: [identity])
    try read(.file(path: folder("p.age")), options)
    #expect(try ArchiveFile(path: folder("p.age"), options: options).read("d").count == 5)
  }

  @Test(.enabled(if: age != nil, "needs the program age"))
  func aRepackedArchiveCanBeEncryptedToo() throws {
    _ = try write(folder("plain"), encryption: nil).finish()
    try shell(
      "mkdir u && tar -xzf plain -C u && tar -C u -czf repacked manifest.json a b c d index.json",
      in: folder)
    let age = try #require(Self.age)
    try CoreDataArchiveTests.write(Self.key.utf8, to: folder("key"))
    try shell("\(age) -e -i key -o repacked.age repacked", in: folder)
    let reader = try ArchiveReader(.file(path: folder("repacked.age")), options: options)
    #expect(reader.isRepacked)
    #expect(reader.isEncrypted)
    while try reader.next() != nil {}
    #expect(try ArchiveFile(path: folder("repacked.age"), options: options).read("d").count == 5)
  }

  private static let age = ["/usr/bin/age", "/usr/local/bin/age", "/opt/homebrew/bin/age"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func expect(
    _ code: CofferError.Code, location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Any?
  ) {
    let error = #expect(throws: CofferError.self, sourceLocation: location) { _ = try body() }
    #expect(error?.code == code, sourceLocation: location)
  }
}
