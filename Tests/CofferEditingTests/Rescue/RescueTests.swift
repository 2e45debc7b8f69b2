internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A rescue gives a store that opens and verifies, and reports the losses.
@Suite struct RescueTests {
  private let folder: TemporaryDirectory
  private var damaged: String { folder.file("Damaged.sqlite") }
  private var new: String { folder.file("New.sqlite") }

  init() throws { folder = try TemporaryDirectory() }

  /// Rescues a copy of the twin of salvages without all pages of a table.
  private func rescue(
    without table: String, model: LoadedModel? = nil
  ) throws -> RescueSummary {
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: damaged)
    let map = try PageMap(damaged)
    for page in map.pages where page.object == table {
      try PageDamage.zeros(page.number).apply(to: damaged, pageSize: map.pageSize)
    }
    var rescuer = StoreRescuer()
    rescuer.options.environment.model = model
    return try rescuer.rescue(damaged, to: new)
  }

  @Test func whatLedToLostObjectsIsMended() throws {
    let summary = try rescue(without: "ZTAGENTITY")
    #expect(summary.lostTables.map(\.folder) == ["entities/TagEntity"])
    #expect(summary.lostTables.first?.readCount == 0)
    #expect(summary.losses?.lostTableCount == 1)
    #expect(summary.lossyRepairCount > 0)
    #expect(summary.repair.repairs.contains { $0.finding.code == .danglingPair })
    #expect(summary.repair.remaining == [])
    #expect(!summary.isWhole)
    #expect(try Verification(of: new).texts == [])
  }

  @Test func valuesThatTheModelDoesNotAllowStay() throws {
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: damaged)
    let text = String(repeating: "long ", count: 120)
    try GeneratorDatabase(path: damaged).run(
      "UPDATE ZTAGENTITY SET ZNAME = '\(text)' WHERE Z_PK = 4")
    let summary = try StoreRescuer().rescue(damaged, to: new)
    #expect(summary.repair.remaining.map(\.code) == [.invalidValue])
    #expect(summary.isWhole)
    let rows = try GeneratorDatabase(path: new).rows("SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 4")
    #expect(rows == [[.text(Array(text.utf8))]])
  }

  /// Damage can take the table that an app's view uses.
  @Test func statementsThatAnImportRefusesAreLeftOut() throws {
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: damaged)
    let database = try GeneratorDatabase(path: damaged)
    for statement in [
      "CREATE VIEW OLD AS SELECT a FROM GONE",
      "CREATE TRIGGER READS AFTER DELETE ON ZTAGENTITY BEGIN SELECT readfile('x'); END",
    ] { try database.run(statement) }
    func names(in store: String) throws -> Int {
      try GeneratorDatabase(path: store)
        .rows("SELECT name FROM sqlite_master WHERE name IN ('OLD', 'READS')").count
    }
    let summary = try StoreRescuer().rescue(damaged, to: new)
    #expect(summary.findings.filter { $0.code == .unrestorableSchema }.count == 2)
    #expect(summary.losses?.lostTableCount == 0)
    #expect(try names(in: new) == 0)
    var trusting = StoreRescuer()
    trusting.options.trustsSchema = true
    let other = folder.file("Other.sqlite")
    try trusting.rescue(damaged, to: other)
    #expect(try names(in: other) == 2)
  }

  @Test func lostMetadataIsRebuilt() throws {
    let summary = try rescue(without: "Z_METADATA")
    #expect(summary.findings.contains { $0.code == .rebuiltTable })
    #expect(summary.storeUUID != nil)
    #expect(summary.repair.remaining.map(\.code) == [.noVersionHashes])
  }

  @Test func lostEntityNumbersAreRebuilt() throws {
    let summary = try rescue(without: "Z_PRIMARYKEY")
    #expect(summary.findings.contains { $0.code == .rebuiltTable })
    #expect(summary.errorCount == 0)
    #expect(
      try StoreComparer.differences(SalvageTwin.path(), new).allSatisfy {
        $0.contains("Z_PRIMARYKEY")
      })
  }

  @Test func withoutAModelNothingIsRepaired() throws {
    let summary = try rescue(without: "Z_MODELCACHE")
    #expect(summary.repair.unrepaired.map(\.finding.code) == [.missingModelCache])
    #expect(summary.repair.repairs == [])
    #expect(summary.repair.remaining.contains { $0.code == .missingModelCache })
  }

  @Test(arguments: ["Z_METADATA", "Z_MODELCACHE"])
  func aGivenModelTakesThePlaceOfWhatIsLost(_ table: String) throws {
    let model = try ModelLoader.load(from: SalvageTwin.path())
    let summary = try rescue(without: table, model: model)
    #expect(summary.findings.contains { $0.code == .rebuiltTable })
    #expect(summary.repairProblem == nil)
    #expect(summary.repair.remaining == [])
    let rescued = try ModelLoader.load(from: new)
    #expect(rescued.model == model.model)
    #expect(rescued.versionHashes == model.versionHashes && rescued.hasAllVersionHashes)
  }

  /// Whichever page of the list of tables is lost, and whether or not the store has its model.
  @Test func aLostPageOfTheSchemaCostsNoObject() throws {
    let model = try ModelLoader.load(from: SalvageTwin.path())
    let map = try PageMap(SalvageTwin.path())
    let leaves = map.pages.filter { $0.object == "sqlite_schema" && $0.number > 1 }.map(\.number)
    try #require(leaves.count > 1)
    let cache = map.pages.filter { $0.object == "Z_MODELCACHE" }.map(\.number)
    for lost in leaves.map({ [$0] }) + [leaves, leaves + cache] {
      try? FileManager.default.removeItem(atPath: damaged)
      try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: damaged)
      for page in lost {
        try PageDamage.zeros(page).apply(to: damaged, pageSize: map.pageSize)
      }
      var rescuer = StoreRescuer()
      rescuer.options.environment.model = model
      rescuer.options.overwriting = true
      let summary = try rescuer.rescue(damaged, to: new)
      #expect(summary.content.objectCount == 1500, "\(lost)")
      #expect(summary.findings.contains { $0.code == .lostSchema }, "\(lost)")
      #expect(summary.errorCount == 0, "\(lost): \(summary.repair.remaining)")
      #expect(!summary.isWhole)
    }
  }

  @Test func aGivenModelMendsWhatNoPageDamageBroke() throws {
    let sample = try SampleCopy()
    let model = try ModelLoader.load(from: sample.path)
    for damage in [Damage.garbageModelCache, .garbageMetadata, .danglingToOne] {
      try damage.apply(to: sample.path)
    }
    var rescuer = StoreRescuer()
    rescuer.options.environment.model = model
    let summary = try rescuer.rescue(sample.path, to: new)
    #expect(summary.repairProblem == nil && summary.errorCount == 0)
    #expect(summary.repair.repairCounts[.danglingRelationship] == 1)
    #expect(summary.repair.repairCounts[.unreadableModelCache] == 1)
    let rescued = try ModelLoader.load(from: new)
    #expect(rescued.model == model.model && rescued.versionHashes == model.versionHashes)
  }

  @Test func anotherModelIsRefused() throws {
    var model = try ModelLoader.load(from: SalvageTwin.path())
    model.model = ManagedObjectModel(
      entities: model.model.entities.filter { $0.name != "TagEntity" }, source: .file)
    let error = #expect(throws: CofferError.self) {
      try rescue(without: "Z_METADATA", model: model)
    }
    #expect(error?.code == .modelMismatch)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test func theDamagedStoreIsNeverReplaced() throws {
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: damaged)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: damaged))
    let link = folder.file("Link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: damaged)
    var rescuer = StoreRescuer()
    rescuer.options.overwriting = true
    for target in [damaged, link] {
      let error = #expect(throws: CofferError.self) { try rescuer.rescue(damaged, to: target) }
      #expect(error?.code == .refused)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: damaged)) == bytes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "Damaged.sqlite", "Link.sqlite",
      ])
  }
}
