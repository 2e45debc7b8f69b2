internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The readable part of a store with damaged pages is exported, and the rest is named.
@Suite struct SalvageExportTests {
  private static let items = "ZITEMENTITY"
  private static let people = "ZPERSONENTITY"

  /// Damages one page, and expects nothing that the twin contradicts.
  private func salvage(
    _ object: String, _ kind: PageMap.Kind, _ choose: ([PageMap.Page]) -> PageMap.Page?
  ) throws -> (SalvagedStore, PageMap.Page) {
    var chosen: PageMap.Page?
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      chosen = choose(map.pages(of: object, kind))
      return [.zeros(try #require(chosen).number)]
    }
    try StoreSalvageOracle(store: store).expectNoProblems()
    return (store, try #require(chosen))
  }

  @Test func aSoundStoreGivesTheSameBytes() throws {
    let folder = try TemporaryDirectory()
    let (plain, salvaged) = (folder.file("Plain.tar.gz"), folder.file("Salvaged.tar.gz"))
    let sample = try SampleCopy()
    for path in [try SalvageTwin.path(), sample.path] {
      try? FileManager.default.removeItem(atPath: plain)
      try? FileManager.default.removeItem(atPath: salvaged)
      try StoreExporter().export(try PersistentStore(readingFrom: path), to: plain)
      let summary = try SalvagedStore.export(path, to: salvaged)
      #expect(summary.salvage == nil)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: plain))
          == Data(contentsOf: URL(fileURLWithPath: salvaged)))
    }
  }

  @Test func withoutSalvageADamagedStoreIsAnError() throws {
    let sample = try SampleCopy(journal: .delete)
    try Damage.brokenPage.apply(to: sample.path)
    let archive = sample.folder.file("A.tar.gz")
    let error = #expect(throws: CofferError.self) {
      try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    }
    #expect(error?.code == .damagedStore)
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  @Test(arguments: ["first", "middle", "last"])
  func theRowsOfALeafAreLostAndNoOthers(_ place: String) throws {
    let (store, page) = try salvage(Self.items, .tableLeaf) { pages in
      place == "first" ? pages.first : place == "last" ? pages.last : pages[pages.count / 2]
    }
    #expect(try store.lost(from: Self.items) == page.rows)
    #expect(store.places(of: .lostRows) == page.rows.map { "ItemEntity/p\($0)" })
    #expect(store.summary.salvage?.lostRowCount == page.rows.count)
    #expect(store.summary.salvage?.isExact == true)
  }

  @Test func whatLeadsToALostObjectIsReported() throws {
    let (store, page) = try salvage(Self.people, .tableLeaf) { $0[$0.count / 2] }
    let keys = page.rows.map(String.init).joined(separator: ", ")
    let references = try SampleCopy.rows(
      store.twin, "SELECT Z_PK FROM ZITEMENTITY WHERE ZAUTHOR IN (\(keys)) ORDER BY Z_PK")
    let found = store.summary.findings.filter {
      $0.code == .danglingRelationship && $0.propertyName == "author"
    }
    #expect(found.count == references.count)
    #expect(found.allSatisfy { $0.detail.hasPrefix("PersonEntity/p") })
    #expect(!store.places(of: .danglingPair).isEmpty)
    // The import sees the same.
    let imported = store.imported.findings.filter {
      $0.code == .danglingRelationship && $0.propertyName == "author"
    }
    #expect(imported.count == found.count)
  }

  @Test func aDamagedRootLosesItsTable() throws {
    let (store, _) = try salvage("ZTAGENTITY", .tableLeaf) { $0.first }
    #expect(store.places(of: .lostTable) == ["TagEntity"])
    #expect(store.summary.salvage?.lostTableCount == 1)
    #expect(store.summary.salvage?.isExact == true)
  }

  @Test func aDamagedInteriorPageLosesWhatItLeadsTo() throws {
    let (store, _) = try salvage(Self.items, .tableInterior) { $0.first { !$0.isRoot } ?? $0.first }
    #expect(store.codes.contains("lost-rows"))
    #expect(store.summary.salvage?.isExact == true)
  }

  @Test func aDamagedOverflowPageLosesOneValue() throws {
    let (store, page) = try salvage("ZATTACHMENTENTITY", .overflow) { pages in
      pages.first { !$0.isLast }
    }
    #expect(try store.lost(from: "ZATTACHMENTENTITY") == [])
    #expect(
      store.places(of: .lostValue).map { $0.split(separator: ".")[0] }
        == page.rows.map { "AttachmentEntity/p\($0)" })
    #expect(store.summary.salvage?.lostValueCount == 1)
    #expect(store.summary.salvage?.lostRowCount == 0)
  }

  @Test(arguments: ["ZITEMENTITY_ZAUTHOR_INDEX", "sqlite_autoindex_Z_4TAGS_1"])
  func aDamagedIndexLosesNothing(_ index: String) throws {
    let (store, _) = try salvage(index, .indexLeaf) { $0.last }
    #expect(store.summary.salvage == nil)
    #expect(store.codes == [])
    let plain = store.folder.file("Plain.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store.twin), to: plain)
    #expect(
      try ArchiveRewriter(plain).entries.filter { !$0.name.hasPrefix("external/") }
        == ArchiveRewriter(store.archive).entries)
  }

  @Test func pairsAreReadFromTheirIndex() throws {
    let (store, _) = try salvage("Z_4TAGS", .tableLeaf) { $0[$0.count / 2] }
    #expect(store.summary.salvage == nil)
  }

  @Test func pairsAreLostWhereTheIndexIsDamagedToo() throws {
    var leaf: PageMap.Page?
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      leaf = map.pages(of: "Z_4TAGS", .tableLeaf).last
      let index = map.pages(of: "sqlite_autoindex_Z_4TAGS_1", .indexLeaf)
      let other = map.pages(of: "Z_4TAGS_Z_9TAGS_INDEX", .indexLeaf)
      return [.zeros(try #require(leaf).number)] + (index + other).map { .zeros($0.number) }
    }
    try StoreSalvageOracle(store: store).expectNoProblems()
    #expect(store.codes == ["lost-rows"])
    #expect(store.summary.salvage?.isExact == false)
  }

  @Test(arguments: [("Z_METADATA", "store/Z_METADATA"), ("Z_MODELCACHE", "store/Z_MODELCACHE")])
  func coreDatasOwnTablesMayBeLost(_ table: String, _ folder: String) throws {
    let (store, _) = try salvage(table, .tableLeaf) { $0.first }
    let details = store.summary.findings.filter { $0.code == .lostTable }.map(\.detail)
    #expect(details.count == 1)
    #expect(details.allSatisfy { $0.hasPrefix(folder) })
    #expect(store.summary.objectCount == 1500)
  }

  @Test func withoutEntityNumbersTheRuleGivesThem() throws {
    let (store, _) = try salvage("Z_PRIMARYKEY", .tableLeaf) { $0.first }
    #expect(store.summary.objectCount == 1500)
    #expect(store.codes == ["lost-table"])
  }

  /// The store's own model is found by its row, and with it the tables of objects.
  @Test func withoutASchemaTablesAreFoundByTheirRows() throws {
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      map.pages(of: "sqlite_schema", .tableLeaf).map { .zeros($0.number) }
    }
    #expect(store.codes.contains("lost-schema"))
    #expect(store.summary.objectCount == 1500)
    for table in ["ZTAGENTITY", "ZATTACHMENTENTITY"] {
      let sound = try SalvagedStore.rows(of: table, in: store.twin)
      #expect(try SalvagedStore.rows(of: table, in: store.restored).count == sound.count)
    }
  }

  @Test func aSchemaWithoutAModelIsRefused() throws {
    let error = #expect(throws: CofferError.self) {
      _ = try SalvagedStore(of: SalvageTwin.path()) { map in
        (map.pages(of: "sqlite_schema", .tableLeaf) + map.pages(of: "Z_METADATA", .tableLeaf)
          + map.pages(of: "Z_PRIMARYKEY", .tableLeaf)).map { .zeros($0.number) }
      }
    }
    #expect(error?.code == .damagedStore)
    #expect(error?.hint?.contains("model") == true)
    #expect(error?.detail.contains("schema") == true)
  }

  @Test func ofADamagedSchemaTheBeginningIsRead() throws {
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      [.zeros(try #require(map.pages(of: "sqlite_schema", .tableLeaf).last).number)]
    }
    #expect(store.codes.contains("lost-schema"))
    let document = try StoreSalvageOracle.document(of: store.archive)
    #expect(document?.isSchemaWhole == false)
    #expect(document?.missingTables.count == store.summary.salvage?.lostTableCount)
    #expect(store.summary.objectCount > 0)
    try StoreSalvageOracle(store: store).expectNoProblems()
  }

  @Test func aFileThatWasCutOffIsReadAsFarAsItGoes() throws {
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      let schema = map.pages.last { $0.object == "sqlite_schema" }?.number ?? 1
      return [.cut(max(schema, map.pages.count * 2 / 3))]
    }
    try StoreSalvageOracle(store: store).expectNoProblems()
    #expect(store.summary.salvage != nil)
    #expect(store.summary.objectCount > 100)
  }

  @Test(.enabled(if: NSUserName() != "root", "root may read every file"))
  func anUnreadableFileIsLeftOutAndReported() throws {
    let sample = try SampleCopy()
    let folder = sample.folder.file(".Todo_SUPPORT/_EXTERNAL_DATA")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).min())
    let file = "\(folder)/\(name)"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    let archive = sample.folder.file("A.coffer.tar.gz")
    let summary = try SalvagedStore.export(sample.path, to: archive)
    #expect(summary.salvage != nil)
    #expect(
      Set(summary.findings.map(\.code)) == [.lostExternalData, .missingExternalData])
    #expect(try StoreSalvageOracle.document(of: archive)?.files == ["external/\(name)"])
  }

  @Test func pagesThatChangedPlacesInventNothing() throws {
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      let leaves = map.pages(of: Self.items, .tableLeaf)
      let others = map.pages(of: "ZATTACHMENTENTITY", .tableLeaf)
      return [
        .swap(leaves[leaves.count / 3].number, leaves[leaves.count / 2].number),
        .swap(leaves[1].number, others[others.count / 2].number),
      ]
    }
    try StoreSalvageOracle(store: store).expectNoProblems()
  }

  @Test func aDuplicatedPageInventsNoRows() throws {
    let store = try SalvagedStore(of: SalvageTwin.path()) { map in
      let leaves = map.pages(of: Self.items, .tableLeaf)
      return [.copy(from: leaves[2].number, to: leaves[leaves.count / 2].number)]
    }
    try StoreSalvageOracle(store: store).expectNoProblems()
    #expect(store.summary.salvage?.lostRowCount ?? 0 > 0)
  }
}
