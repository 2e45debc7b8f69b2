internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import Foundation
internal import TestSupport
internal import Testing

/// Whatever a tar claims, checking it costs little, and no file gets one of its names.
@Suite struct HostileTarTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The errors of reading a tar forward, in members and as stock tools pack it, from a file and
  /// through a descriptor; expects that nothing is left but the file itself.
  private func errors(
    _ tar: HandMadeTar, limits: ArchiveLimits = .standard
  ) throws -> [CofferError?] {
    var errors: [CofferError?] = []
    for bytes in [try tar.members(), try tar.stock()] {
      try write(bytes, to: folder("a"))
      errors.append(error(.file(path: folder("a")), limits))
      let file = try #require(FileHandle(forReadingAtPath: folder("a")))
      errors.append(error(.descriptor(file.fileDescriptor), limits))
      try file.close()
    }
    #expect(try folder.names == ["a"])
    return errors
  }

  private func error(_ source: ArchiveSource, _ limits: ArchiveLimits) -> CofferError? {
    let options = ArchiveReaderOptions(temporaryFolder: folder.path, limits: limits)
    do throws(CofferError) {
      let reader = try ArchiveReader(source, options: options)
      while try reader.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  private func tar(_ build: (inout HandMadeTar) -> Void) -> HandMadeTar {
    var tar = HandMadeTar()
    tar.entry("manifest.json", "{}")
    build(&tar)
    tar.end()
    return tar
  }

  @Test(arguments: Array("12346KDMNSVXAg7Zz"))
  func whatIsNoFileIsRefused(_ type: Character) throws {
    for target in ["/etc/passwd", "manifest.json", "../x"] {
      let tar = tar { $0.header("entities/x", type: type, link: target) }
      for error in try errors(tar) {
        // In a canonical archive a second entry must begin a member, so there is always an error.
        #expect([.damagedArchive, .truncatedArchive].contains(error?.code), "\(type) to \(target)")
      }
    }
  }

  @Test(arguments: [
    "/etc/passwd", "../x", "a/../../x", "a/./b", "a//b", "a/", "", "a\u{1b}b", "a\nb", "a\u{7f}",
  ])
  func namesThatAreNoPathsBelowAreRefused(_ name: String) throws {
    var plain = HandMadeTar()
    plain.header(name)
    plain.end()
    var long = HandMadeTar()
    long.pax(HandMadeTar.record("path", name))
    long.header("x")
    long.end()
    var gnu = HandMadeTar()
    gnu.header("././@LongLink", size: name.utf8.count + 1, type: "L")
    gnu.content(ContiguousArray(name.utf8) + [0])
    gnu.header("x")
    gnu.end()
    for tar in [plain, long, gnu] {
      for error in try errors(tar) {
        // A folder's mark behind a name is the one thing that may be dropped.
        #expect([.damagedArchive, .truncatedArchive].contains(error?.code))
      }
    }
  }

  @Test func aBackslashIsALetterLikeAnyOther() throws {
    try writeArchive([TestEntry("a\\..\\b", "x")], to: folder("a"))
    #expect(readingError(folder("a")) == nil)
  }

  @Test func longNamesAreRefusedWhateverSaysThem() throws {
    for name in [String(repeating: "n", count: 1025), String(repeating: "n/", count: 30_000) + "n"]
    {
      for error in try errors(tar { $0.pax(HandMadeTar.record("path", name)) }) {
        #expect(error?.code == .damagedArchive || error?.code == .archiveLimit)
      }
    }
    let bytes = Array("a\u{0}b".utf8)
    let record = "\(bytes.count + 9) path=\(String(decoding: bytes, as: UTF8.self))\n"
    for error in try errors(tar { $0.pax(record) }) { #expect(error?.code == .damagedArchive) }
  }

  /// The content is not there: an error that is not about the end of the file shows that nothing
  /// of it was asked for.
  @Test(arguments: ["x", "g", "L"], [65 << 10, 1 << 30, 1 << 40])
  func extendedHeadersOfGigabytesAreNotRead(_ type: Character, _ size: Int) throws {
    var tar = HandMadeTar()
    tar.header("PaxHeader", size: size, type: type)
    for error in try errors(tar) {
      #expect(error?.code == .archiveLimit)
      #expect(error?.advice == [.raiseLimit("repacked")])
    }
    var limits = ArchiveLimits.standard
    limits.extendedHeaderSize = 1 << 41
    #expect(
      try errors(tar, limits: limits).allSatisfy {
        [.damagedArchive, .truncatedArchive].contains($0?.code)
      })
  }

  @Test(arguments: [
    "path=x\n", "0 path=x\n", "1 path=x\n", "9 path=x\n", "11 path=x\n", "-9 path=x\n",
    "999999999 path=x\n", "99999999999999999999 path=x\n", "10 path=x", "10 path=xx\n",
    "9 path x\n",
    " path=x\n", "10  path=x\n", "8 =xxxx\n\n", "17 size=-1234567\n", "12 size=0x1\n",
    "30 size=99999999999999999999\n", "\u{0}", "10 path=x\n ", "22 linkpath=/etc/pass\n",
    "25 GNU.sparse.size=12345\n",
  ])
  func paxRecordsWithWrongLengthsAreRefused(_ records: String) throws {
    for error in try errors(tar { $0.pax(records) }) { #expect(error?.code == .damagedArchive) }
  }

  @Test(arguments: [1 << 20, 1 << 40, (1 << 53) - 1, Int.max])
  func contentThatIsNotThereIsMissing(_ size: Int) throws {
    var tar = HandMadeTar()
    tar.pax(HandMadeTar.record("size", String(size)))
    tar.header("manifest.json")
    tar.content(ContiguousArray("{}".utf8))
    for error in try errors(tar) {
      #expect([.damagedArchive, .truncatedArchive, .archiveLimit].contains(error?.code))
    }
  }

  @Test func checksumsMatter() throws {
    var tar = HandMadeTar()
    tar.entry("manifest.json", "{}")
    tar.end()
    var bytes = try tar.stock()
    bytes[bytes.count - 5] ^= 1
    try write(bytes, to: folder("a"))
    #expect(error(.file(path: folder("a")), .standard) != nil)
  }
}

/// A few bytes that claim to be many.
@Suite struct HostileSizeTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The result of reading through a descriptor, and the number of bytes read from the file.
  private func reading(_ limits: ArchiveLimits) throws -> (error: CofferError?, consumed: Int) {
    let file = try #require(FileHandle(forReadingAtPath: folder("a")))
    defer { try? file.close() }
    let options = ArchiveReaderOptions(temporaryFolder: folder.path, limits: limits)
    var failure: CofferError?
    do throws(CofferError) {
      let reader = try ArchiveReader(.descriptor(file.fileDescriptor), options: options)
      while try reader.next() != nil {}
    } catch {
      failure = error
    }
    return (failure, Int(try file.offset()))
  }

  /// An endless gzip stream: reading ends as soon as the ratio is exceeded, whatever the size of the
  /// stream.
  @Test(arguments: [false, true]) func aRepackedBombIsNotUnpacked(isFile: Bool) throws {
    var tar = HandMadeTar()
    tar.header("manifest.json", size: 1 << 43)
    var bytes = try tar.stock()
    let zeros = try HandMadeTar.gzip(ContiguousArray(repeating: 0, count: 4 << 20))
    #expect((4 << 20) / zeros.count > 900)
    for _ in 0..<400 { bytes += zeros }
    try write(bytes, to: folder("a"))
    var limits = ArchiveLimits.standard
    limits.repackedFreeSize = 8 << 20
    let options = ArchiveReaderOptions(temporaryFolder: folder.path, limits: limits)
    let error: CofferError?
    if isFile {
      error = #expect(throws: CofferError.self) {
        try ArchiveFile(path: folder("a"), options: options)
      }
    } else {
      let read = try reading(limits)
      error = read.error
      // 8 MiB are 2 of the 400 members; a buffer of 64 KiB is read ahead.
      #expect(read.consumed <= 128 << 10)
    }
    #expect(error?.code == .archiveLimit)
    #expect(error?.advice == [.raiseLimit("repacked")])
    #expect(try folder.names == ["a"])
  }

  /// A tar's end may be followed by any number of zeros.
  @Test func zerosBehindTheEndAreBoundedToo() throws {
    var tar = HandMadeTar()
    tar.entry("manifest.json", "{}")
    tar.end()
    var bytes = try tar.stock()
    let zeros = try HandMadeTar.gzip(ContiguousArray(repeating: 0, count: 4 << 20))
    for _ in 0..<100 { bytes += zeros }
    try write(bytes, to: folder("a"))
    var limits = ArchiveLimits.standard
    limits.repackedFreeSize = 8 << 20
    #expect(try reading(limits).error?.code == .archiveLimit)
  }

  @Test func emptyFoldersAreCounted() throws {
    var tar = HandMadeTar()
    tar.entry("manifest.json", "{}")
    for _ in 0..<100 { tar.header("a/", type: "5") }
    tar.end()
    try write(try tar.stock(), to: folder("a"))
    var limits = ArchiveLimits.standard
    limits.entryCount = 10
    let error = try reading(limits).error
    #expect(error?.code == .archiveLimit)
    #expect(error?.advice == [.raiseLimit("entries")])
  }

  /// The last four bytes of a member are its number of plain bytes.
  @Test(arguments: [0, 1, 10, 1 << 20, 4 << 20, (4 << 20) + 1, 1 << 31, (1 << 32) - 1])
  func aMemberThatStatesAnotherSizeIsDamaged(_ stated: Int) throws {
    var tar = HandMadeTar()
    tar.header("manifest.json", size: 3 << 20)
    tar.content(ContiguousArray<UInt8>(repeating: 0, count: (1 << 20) - 512))
    var bytes = try tar.members()
    let footer = MemberFormat.gzip.footerSize
    for place in 0..<4 {
      bytes[bytes.count - footer - 4 + place] = UInt8(truncatingIfNeeded: stated >> (8 * place))
    }
    try write(bytes, to: folder("a"))
    let read = try reading(.standard)
    #expect([.damagedArchive, .truncatedArchive].contains(read.error?.code))
  }

  /// The header of a member contains its length, up to 4 GiB.
  @Test(arguments: [0, 20, 28, 5 << 20, (1 << 32) - 1])
  func aMemberThatStatesAnotherLengthIsDamaged(_ stated: Int) throws {
    var tar = HandMadeTar()
    tar.entry("manifest.json", "{}")
    var bytes = try tar.members()
    for place in 0..<4 { bytes[16 + place] = UInt8(truncatingIfNeeded: stated >> (8 * place)) }
    try write(bytes, to: folder("a"))
    let read = try reading(.standard)
    #expect([.damagedArchive, .truncatedArchive].contains(read.error?.code))
    #expect(read.consumed <= 1 << 20)
  }
}
