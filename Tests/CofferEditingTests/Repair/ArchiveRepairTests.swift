internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferEditing

/// A damaged archive of many parts, and others of the same store with some rows changed.
@Suite struct ArchiveRepairTests {
  private static let key =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"

  private let folder: TemporaryDirectory
  private let store: String
  private var whole: String { folder.file("Whole.tar.gz") }
  private var older: String { folder.file("Older.tar.gz") }
  private var damaged: String { folder.file("Damaged.tar.gz") }
  private var mended: String { folder.file("Mended.tar.gz") }

  init() throws {
    folder = try TemporaryDirectory()
    store = folder.file("Store.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 60
    options.externalCount = 2
    try StoreMaker.write(to: store, options)
  }

  /// The store as it was, and then without the first part of the largest table, and with another object
  /// changed.
  private func export(_ options: ExportOptions = Self.small) throws {
    try export(to: whole, options)
    let database = try GeneratorDatabase(path: store)
    try database.registerCoreDataFunctions()
    let first = try firstPart()
    try database.run(
      "DELETE FROM Z\(first.entity.text.uppercased()) WHERE Z_PK <= \(first.lastKey);"
        + "UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = (SELECT max(Z_PK) FROM ZTAGENTITY)")
    try export(to: older, options)
  }

  /// The entity of the table with the most parts, and the end of its first part.
  private func firstPart() throws -> (entity: Name, lastKey: Int64) {
    let parts = try ArchiveFile(path: whole, options: try Self.environment.readerOptions()).index
      .entries
      .filter { $0.name.hasPrefix("entities/") && $0.name.hasSuffix(".ndjson") }
    let tables = Dictionary(grouping: parts) { $0.name.split(separator: "/")[1] }
    let largest = try #require(tables.values.max { $0.count < $1.count })
    return (
      Name(String(largest[0].name.split(separator: "/")[1])),
      try #require(largest[0].attributes.lastKey)
    )
  }

  private func export(to path: String, _ options: ExportOptions) throws {
    try StoreExporter(options: options).export(PersistentStore(readingFrom: store), to: path)
  }

  private static var environment: WorkEnvironment {
    get throws {
      var environment = WorkEnvironment()
      environment.identities = try ArchiveIdentity.identities(inFile: Array(key.utf8))
      return environment
    }
  }

  /// Parts of about a kilobyte.
  private static var small: ExportOptions {
    var options = ExportOptions(threads: 1)
    options.division.rule = PartRule(averageBits: 10)
    return options
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes the whole archive with some bytes changed.
  private func damage(_ ranges: [Range<Int>]) throws {
    var bytes = try bytes(whole)
    for range in ranges { for index in range { bytes[index] ^= 0x5a } }
    _ = try folder.write(bytes, to: "Damaged.tar.gz")
  }

  private func place(_ entry: ArchiveIndex.Entry) -> Range<Int> {
    let middle = entry.offset + entry.compressedSize / 2
    return middle..<middle + 4
  }

  private func repair(_ others: [String]) throws -> ArchiveRepairSummary {
    try ArchiveRepairer().repair(
      damaged, with: others, to: .file(mended, overwriting: true))
  }

  /// Every entry in turn: entries in the older archive are restored byte for byte, the rest is listed.
  @Test func whatTheOlderArchiveHasComesBack() throws {
    try export()
    let index = try ArchiveFile(path: whole).index
    let known = Set(try ArchiveFile(path: older).index.entries.map(\.digest))
    let original = try bytes(whole)
    let names = try ArchiveFile(path: older).index.entries
    #expect(index.entries.count > 20)
    // A part with another number has the same rows.
    #expect(
      index.entries.contains { entry in
        names.contains { $0.digest == entry.digest && $0.name != entry.name }
      })
    var lost = 0
    for entry in index.entries {
      try damage([place(entry)])
      if known.contains(entry.digest) {
        let summary = try repair([older])
        #expect(summary.isWhole && summary.takenEntries == [entry.name], "\(entry.name)")
        #expect(try bytes(mended) == original, "\(entry.name)")
      } else if entry.name.hasSuffix(".ndjson") {
        lost += 1
        try expectLoss(of: entry)
      }
    }
    #expect(lost > 1)
  }

  /// Nothing but the model cache is lost, which no object has.
  @Test func aLostValueOfASystemTableIsListed() throws {
    try export()
    let entry = try #require(
      try ArchiveFile(path: whole).index.entries.first {
        $0.name.contains("Z_MODELCACHE") && !$0.name.hasSuffix(".ndjson")
      })
    try damage([place(entry)])
    let other = folder.file("Other.tar.gz")
    try FileManager.default.copyItem(atPath: damaged, toPath: other)
    try expectLoss(of: entry, with: other)
  }

  private func expectLoss(of entry: ArchiveIndex.Entry, with other: String? = nil) throws {
    let summary = try repair([other ?? older])
    #expect(!summary.isWhole && summary.takenEntries == [], "\(entry.name)")
    let finding = summary.findings.first { $0.code == .lostEntry }
    #expect(finding?.detail.contains(entry.name) == true, "\(entry.name)")
    if let first = entry.attributes.firstKey, let last = entry.attributes.lastKey {
      #expect(finding?.detail.contains("keys from \(first) to \(last)") == true)
    }
    // Complete in itself, with a list of the missing parts.
    _ = try Verification(of: mended)
    let file = try ArchiveFile(path: mended)
    let text = String(decoding: try file.read(ArchiveEntryName.salvage), as: UTF8.self)
    let table = try #require(PartEntryName(entry.name)).folder
    #expect(text.contains(table), "\(text)")
  }

  @Test func twoDamagedArchivesMakeAWholeOne() throws {
    try export()
    let index = try ArchiveFile(path: whole).index
    let parts = index.entries.filter { $0.name.hasSuffix(".ndjson") }
    try damage([place(parts[0])])
    try FileManager.default.moveItem(atPath: damaged, toPath: folder.file("Other.tar.gz"))
    try damage(parts.dropFirst().prefix(5).map(place))
    #expect(try !repair([older]).isWhole || repair([older]).takenEntries.count == 5)
    let summary = try repair([older, folder.file("Other.tar.gz")])
    #expect(summary.isWhole && summary.takenEntries.count == 5)
    #expect(try bytes(mended) == bytes(whole))
  }

  @Test func aWholeArchiveStaysAsItIs() throws {
    try export()
    try damage([])
    let summary = try repair([older])
    #expect(summary.isWhole && summary.takenEntries == [])
    #expect(try bytes(mended) == bytes(whole))
  }

  /// The other content is unknown; the intact part is restored.
  @Test func withoutAnIndexNothingIsTaken() throws {
    try export(ExportOptions())
    let size = try bytes(whole).count
    try damage([size - 200..<size - 190])
    let summary = try repair([older])
    #expect(!summary.isWhole && summary.takenEntries == [])
    #expect(summary.losses?.isComplete == false)
    #expect(try ArchiveFile(path: mended).index == ArchiveFile(path: whole).index)
  }

  @Test func anArchiveThatWasPackedAgainHelps() throws {
    try export()
    let parts = try ArchiveFile(path: whole).index.entries.filter { $0.name.hasSuffix(".ndjson") }
    try damage([place(parts[3])])
    let script =
      "mkdir u && tar xzf Whole.tar.gz -C u && tar czf Packed.tar.gz -C u . && rm -r u"
    _ = try ProcessRunner("/bin/sh", directory: folder.path).run(["-c", script])
    let summary = try repair([folder.file("Packed.tar.gz")])
    #expect(summary.isWhole && summary.takenEntries == [parts[3].name])
    #expect(try bytes(mended) == bytes(whole))
  }

  /// What an index of another archive claims does not count.
  @Test func anArchiveThatLiesDoesNotHelp() throws {
    try export()
    let entry = try #require(
      try ArchiveFile(path: whole).index.entries.first { $0.name.hasSuffix(".ndjson") })
    try damage([place(entry)])
    var liar = try ArchiveRewriter(whole)
    try liar.changeLines(of: entry.name) { $0.removeLast() }
    try liar.write(to: folder.file("Liar.tar.gz"), recomputing: .none)
    #expect(try !repair([folder.file("Liar.tar.gz")]).isWhole)
    let error = #expect(throws: CofferError.self) { try repair([store]) }
    #expect(error?.code == .notAnArchive)
  }

  /// Each chunk is authenticated: chunks after the damage are read too.
  @Test func anEncryptedArchiveIsMended() throws {
    var random = SeededGenerator(seed: 9)
    let file = Data((0..<300_000).map { _ in UInt8(random.below(256)) })
    let name = "FFFFFFFF-0000-4000-8000-000000000000"
    try file.write(
      to: URL(fileURLWithPath: "\(StoreFiles(store).externalDataFolder)/\(name)"))
    let environment = try Self.environment
    let encryption = try ArchiveEncryption(
      recipients: environment.identities.compactMap(\.recipient))
    try export(ExportOptions(encryption: encryption))
    let size = try bytes(whole).count
    try damage([size - 150_000..<size - 149_999])
    let repairer = ArchiveRepairer(environment: environment)
    let summary = try repairer.repair(damaged, with: [older], to: .file(mended))
    #expect(summary.isWhole && summary.takenEntries == ["external/\(name)"])
    let options = environment.readerOptions()
    #expect(
      try ArchiveFile(path: mended, options: options).index
        == ArchiveFile(path: whole, options: options).index)
    #expect(try ArchiveFile(path: mended, options: options).isEncrypted)
  }
}
