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

/// A store that was copied without its write-ahead log, which its wal-index still shows.
@Suite struct MissingLogTests {
  private let folder: TemporaryDirectory
  private var store: String { folder.file("Copy.sqlite") }
  private var archive: String { folder.file("A.coffer.tar.gz") }

  init() throws {
    folder = try TemporaryDirectory()
    let sample = try SampleCopy()
    // As long as this is open, the changes are in the log alone.
    let database = try GeneratorDatabase(path: sample.path)
    try database.run("UPDATE ZTAGENTITY SET Z_OPT = 99; DELETE FROM Z_4TAGS")
    for ending in ["", "-shm"] {
      try FileManager.default.copyItem(
        atPath: sample.path + ending, toPath: folder.file("Copy.sqlite") + ending)
    }
    try FileManager.default.copyItem(
      atPath: sample.folder.file(".Todo_SUPPORT"), toPath: folder.file(".Copy_SUPPORT"))
    #expect(!FileManager.default.fileExists(atPath: store + "-wal"))
    withExtendedLifetime(database) {}
  }

  @Test func theErrorLeadsToSalvage() throws {
    let error = #expect(throws: CofferError.self) {
      _ = try PersistentStore(readingFrom: store)
    }
    #expect(error?.code == .walMissing)
    #expect(error?.advice.contains(.salvageStore) == true)
  }

  @Test func aSalvageSaysWhatIsUnknown() throws {
    let summary = try SalvagedStore.export(store, to: archive)
    let facts = try #require(summary.salvage)
    #expect(facts.lostRowCount == 0)
    #expect(!facts.isExact)
    #expect(facts.missingLogByteCount > 0)
    #expect(facts.text == "rows that were only in the -wal, and how many is unknown")
    let finding = try #require(summary.findings.first { $0.code == .lostTransactions })
    #expect(finding.detail.hasSuffix("bytes are missing; how many rows it changed is unknown"))

    let inspected = try StoreInspector().inspect(archive)
    #expect(inspected.archive?.salvage == facts)
    let imported = try StoreImporter().import(archive, to: folder.file("B.sqlite"))
    var verified: [Finding] = []
    _ = try Verifier().verify(archive) { verified.append($0) }
    for findings in [imported.findings, verified] {
      #expect(findings.first { $0.code == .salvagedArchive }?.detail == facts.text)
    }
  }

  @Test(arguments: [Damage.damagedLog, .damagedLogHeader])
  func aDamagedLogIsNotExportedSilently(_ damage: Damage) throws {
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    let error = #expect(throws: CofferError.self) {
      try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    }
    #expect(error?.code == .damagedStore)
    #expect(error?.place.path == sample.path + "-wal")
    #expect(error?.advice == [.salvageStore])
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  @Test func aDamagedLogIsALossOfUnknownSize() throws {
    let sample = try SampleCopy()
    try Damage.damagedLog.apply(to: sample.path)
    let summary = try SalvagedStore.export(sample.path, to: archive)
    #expect(summary.salvage?.missingLogByteCount == 2 * (24 + 4096))
    #expect(summary.salvage?.isExact == false)
    #expect(
      summary.findings.map(\.detail) == [
        "frame 1 of 2 is invalid, so this and all later frames do not apply; how many rows it "
          + "changed is unknown"
      ])
  }

  /// An app that finds the log of another store next to its own store replays it.
  @Test func aLogOfAnotherStoreIsLeftOut() throws {
    let store = folder.file("Twin.sqlite")
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: store)
    try GeneratorDatabase(path: store).run("PRAGMA journal_mode = WAL")
    let sound = try StoreFiles(store).copy(to: folder.file("Sound.sqlite"))
    let sample = try SampleCopy()
    let database = try GeneratorDatabase(path: sample.path)
    try database.run("UPDATE ZTAGENTITY SET Z_OPT = 99; DELETE FROM Z_4TAGS")
    try FileManager.default.copyItem(atPath: sample.path + "-wal", toPath: store + "-wal")
    withExtendedLifetime(database) {}
    let log = try Data(contentsOf: URL(fileURLWithPath: store + "-wal"))
    #expect(log.count > 0)

    let summary = try SalvagedStore.export(store, to: archive)
    #expect(summary.salvage?.missingLogByteCount == log.count)
    #expect(summary.salvage?.lostRowCount == 0)
    let finding = try #require(summary.findings.first { $0.code == .lostTransactions })
    #expect(finding.detail.hasPrefix("it does not belong to the main file"))
    let new = folder.file("New.sqlite")
    #expect(try !StoreRescuer().rescue(store, to: new).isWhole)
    #expect(try StoreComparer.differences(sound, new) == [])
    #expect(try Data(contentsOf: URL(fileURLWithPath: store + "-wal")) == log)
  }

  @Test func theListsOfLossesReadAsWords() {
    var document = SalvageDocument()
    #expect(SalvageFacts(document).text == "no rows")
    #expect(SalvageFacts(nil).text == "the list of losses cannot be read")
    #expect(!SalvageFacts(nil).isExact)
    document.isSchemaWhole = false
    #expect(SalvageFacts(document).text == "an unknown number of rows")
    document.tables = [
      .init(
        folder: "entities/A", entityName: "A", readCount: 0, lostCount: 1, isExact: false, rows: [],
        lostValueCount: 2, values: [])
    ]
    document.missingLogBytes = 1
    #expect(
      SalvageFacts(document).text
        == "about 1 row, 2 values, 1 whole table, "
        + "rows that were only in the -wal, and how many is unknown")
  }
}
