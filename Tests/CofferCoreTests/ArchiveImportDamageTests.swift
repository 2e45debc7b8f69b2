internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A truncated or changed archive gives an error that names the place, and no store.
@Suite struct ArchiveImportDamageTests {
  /// An archive with an entry of every kind, its bytes, and where its members begin.
  struct Subject {
    /// The folder of the store.
    let folder: TemporaryDirectory
    let store: String
    let bytes: [UInt8]
    /// The ranges of the gzip members, in order.
    let members: [Range<Int>]
    /// The entries with the offsets where they begin, in order.
    let entries: [(name: String, offset: Int)]

    /// With a value that is too large for a part; made by the first who asks.
    static func whole() throws -> Subject { try made.get() }
    /// Without it, which is most of the work to import.
    static func small() throws -> Subject { try madeSmall.get() }

    private static let made = Result { try Subject(hasLargeValue: true) }
    private static let madeSmall = Result { try Subject(hasLargeValue: false) }

    private init(hasLargeValue: Bool) throws {
      folder = try .untilExit()
      store = folder.file("Todo.sqlite")
      try SampleStore.write(to: store)
      let database = try GeneratorDatabase(path: store)
      try database.registerCoreDataFunctions()
      try database.run(
        "UPDATE ZPERSONENTITY SET ZAVATAR = ? WHERE Z_PK = 2", [.blob(Subject.letters(3000))])
      if hasLargeValue {
        try database.run(
          "UPDATE ZPERSONENTITY SET ZAVATAR = ? WHERE Z_PK = 3",
          [.blob(Subject.bytes(4 << 20 + 1))])
      }
      let archive = folder.file("Store.coffer.tar.gz")
      try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: archive)))
      members = Subject.members(bytes)
      let tar = try ProcessRunner("/bin/sh").run([
        "-c", "tar -xzOf \"$0\" index.json", archive,
      ])
      let json = try JSONSerialization.jsonObject(with: Data(tar.outputBytes))
      let list = (json as? [String: Any])?["entries"] as? [[String: Any]] ?? []
      entries = list.compactMap { entry in
        guard let name = entry["name"] as? String, let offset = entry["offset"] as? Int else {
          return nil
        }
        return (name, offset)
      }
    }

    /// Bytes without runs, so that every bit of them matters.
    private static func letters(_ count: Int) -> [UInt8] {
      var random = SeededGenerator(seed: 4)
      return (0..<count).map { _ in UInt8(random.below(16)) }
    }

    /// Zeros, so that a large value makes a small archive, with something in between.
    private static func bytes(_ count: Int) -> [UInt8] {
      (0..<64).map { UInt8($0) } + [UInt8](repeating: 0, count: count - 64)
    }

    /// The members, by the lengths that their headers give (subfield `CF`).
    private static func members(_ bytes: [UInt8]) -> [Range<Int>] {
      var found: [Range<Int>] = []
      var start = 0
      while start + 20 <= bytes.count {
        let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 16 + $1]) << (8 * $1) }
        guard bytes[start + 12] == UInt8(ascii: "C"), bytes[start + 13] == UInt8(ascii: "F"),
          length > 0, start + length <= bytes.count
        else { break }
        found.append(start..<(start + length))
        start += length
      }
      return found
    }
  }

  /// The codes that end a command with status 12.
  static let codes: Set = ["truncated-archive", "damaged-archive", "archive-limit"]

  /// What an import of changed bytes does wrong, in words; nil when it does nothing wrong.
  ///
  /// Some bits of compressed data mean nothing (the last bits before a byte is full) or the same as
  /// before (another distance within a run of one byte). Where the import finds the very bytes that
  /// were backed up, the store may come, if `mayBeSame`; then it is the same store.
  static func fault(
    _ bytes: [UInt8], of subject: Subject, in folder: TemporaryDirectory, mayBeSame: Bool = false
  ) throws -> String? {
    _ = try folder.write(bytes, to: "Store.coffer.tar.gz")
    var fault: String?
    let copy = folder.file("Copy.sqlite")
    do {
      try StoreImporter().import(folder.file("Store.coffer.tar.gz"), to: copy)
      fault = "it was imported"
      if mayBeSame {
        let differences = try StoreComparer.differences(subject.store, copy)
        fault = differences.isEmpty ? nil : "it was imported: \(differences)"
      }
      try StoreFiles(copy).remove()
    } catch let error as CofferError {
      // Without its first bytes, it is not an archive at all, and the place is the whole file.
      let isNone = error.code == .notAnArchive && bytes.prefix(20) != subject.bytes.prefix(20)
      if !isNone {
        if !codes.contains(error.code.text) { fault = "another code: \(error)" }
        if error.place.entry == nil, error.place.offset == nil { fault = "no place: \(error)" }
      }
    } catch {
      fault = "another error: \(error)"
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    if left != ["Store.coffer.tar.gz"] { fault = "\(fault ?? ""), left over: \(left)" }
    try FileManager.default.removeItem(atPath: folder.file("Store.coffer.tar.gz"))
    return fault
  }

  @Test func theSubjectHasEveryKindOfEntry() throws {
    let subject = try Subject.whole()
    #expect(subject.members.last?.upperBound == subject.bytes.count)
    let starts = Set(subject.members.map(\.lowerBound))
    #expect(subject.entries.allSatisfy { starts.contains($0.offset) })
    for kind in Self.kinds { #expect(subject.entries.contains { $0.name.contains(kind) }) }
    let folder = try TemporaryDirectory()
    #expect(
      try Self.fault(subject.bytes, of: subject, in: folder)?.hasPrefix("it was imported") == true)
  }

  @Test func anArchiveThatIsCutOffIsRefused() throws {
    let subject = try Subject.whole()
    let folder = try TemporaryDirectory()
    for count in stride(from: 0, to: subject.bytes.count, by: 1999) {
      let fault = try Self.fault(Array(subject.bytes.prefix(count)), of: subject, in: folder)
      #expect(fault == nil, "cut off after \(count) bytes")
    }
  }

  /// Stock tools find nothing wrong with such an archive; an import does.
  @Test func anArchiveThatIsCutBetweenEntriesIsRefused() throws {
    let subject = try Subject.whole()
    let folder = try TemporaryDirectory()
    let gzip = ProcessRunner.find("gzip")
    let tar = ProcessRunner.find("tar")
    for (name, offset) in subject.entries.dropFirst() {
      let bytes = Array(subject.bytes.prefix(offset))
      let path = try folder.write(bytes, to: "Cut.tgz")
      if let gzip { #expect(try ProcessRunner(gzip).run(["-t", path]).status == 0) }
      if let tar { #expect(try ProcessRunner(tar).run(["-tzf", path]).status == 0) }
      try FileManager.default.removeItem(atPath: path)
      #expect(try Self.fault(bytes, of: subject, in: folder) == nil, "cut off before \(name)")
    }
    for member in subject.members.dropFirst().suffix(3) {
      let bytes = Array(subject.bytes.prefix(member.lowerBound))
      #expect(
        try Self.fault(bytes, of: subject, in: folder) == nil, "cut off at \(member.lowerBound)")
    }
  }

  /// Names of entries of every kind, as far as they show the kind.
  static let kinds = [
    "manifest.json", "model.json", "schema.json", "layout.json", "PersonEntity/00000.ndjson",
    "PersonEntity/00000.blobs", "PersonEntity/00000.value-0", "external/", "relationships/",
    "system/", "Z_METADATA/00000.value", "Z_PRIMARYKEY/00000.ndjson",
  ]

  @Test(arguments: kinds) func aFlippedBitInAnEntryIsNoticed(_ kind: String) throws {
    let subject = try kind.contains(".value-") ? Subject.whole() : .small()
    let entry = try #require(subject.entries.first { $0.name.contains(kind) })
    let member = try #require(subject.members.first { $0.lowerBound == entry.offset })
    let header = 20
    let data = (member.lowerBound + header)..<(member.upperBound - 8)
    try Self.flip(in: data, step: max(1, data.count / 12), of: subject, mayBeSame: true)
  }

  /// The index and the footer behind it, bit by bit.
  @Test func aFlippedBitInTheIndexOrTheFooterIsNoticed() throws {
    let subject = try Subject.small()
    let footer = try #require(subject.members.last)
    try Self.flip(in: footer, step: 1, of: subject)
    let last = try #require(subject.entries.last)
    let members = subject.members.filter { $0.lowerBound > last.offset && $0 != footer }
    let index = try #require(members.last)
    try Self.flip(
      in: (index.lowerBound + 20)..<(index.upperBound - 8), step: max(1, index.count / 30),
      of: subject, mayBeSame: true)
  }

  /// Every byte of a member's header and trailer, each with two of its bits.
  @Test func everyByteAroundAMemberMatters() throws {
    let subject = try Subject.small()
    let entry = try #require(
      subject.entries.first { $0.name.contains("PersonEntity/00000.ndjson") })
    let member = try #require(subject.members.first { $0.lowerBound == entry.offset })
    let header = member.lowerBound..<(member.lowerBound + 20)
    let trailer = (member.upperBound - 8)..<member.upperBound
    try Self.flip(in: header, step: 1, of: subject)
    try Self.flip(in: trailer, step: 1, of: subject)
  }

  private static func flip(
    in range: Range<Int>, step: Int, of subject: Subject, mayBeSame: Bool = false
  ) throws {
    let folder = try TemporaryDirectory()
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      for bit in [offset % 8, (offset + 5) % 8] {
        var bytes = subject.bytes
        bytes[offset] ^= 1 << UInt8(bit)
        let fault = try fault(bytes, of: subject, in: folder, mayBeSame: mayBeSame)
        #expect(fault == nil, "bit \(bit) of byte \(offset) in \(range)")
      }
    }
  }
}
