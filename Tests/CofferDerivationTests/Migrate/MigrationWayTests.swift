internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The way to the new model: versions between, archives, history, models that are not known.
@Suite struct MigrationWayTests {
  private let folder: TemporaryDirectory
  private let bundle: String

  /// Three versions: an attribute gets another name in the second, and another one its name in the
  /// third.
  init() throws {
    folder = try TemporaryDirectory()
    bundle = folder.file("Trips.xcdatamodeld")
    let attributes = [
      1: #"<attribute name="size" optional="YES" attributeType="String"/>"#,
      2: #"<attribute name="length" optional="YES" attributeType="String" elementID="size"/>"#,
      3: #"<attribute name="length" optional="YES" attributeType="String" elementID="size"/>"#
        + #"<attribute name="size" optional="YES" attributeType="Double"/>"#,
    ]
    for (number, attribute) in attributes {
      let version = "\(bundle)/Trips \(number).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Trip" representedClassName="Trip">\(attribute)</entity></model>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
  }

  /// A store of the first version.
  private func store() throws -> String {
    let path = folder.file("Trips.sqlite")
    let model = try ModelLoader.model(from: bundle, version: "Trips 1")
    let builder = try SampleStoreBuilder(path: path, model: model, journal: .delete)
    try builder.insert("Trip", ["size": "small"])
    try builder.finish()
    return path
  }

  @Test func aDetourIsFoundWhereOneStepIsNotPossible() throws {
    let options = MigrationOptions(version: "Trips 3")
    let plan = try StoreMigrator(options: options).plan(store(), to: bundle)
    #expect(plan.isPossible && plan.isDetour)
    #expect(plan.steps.map(\.newName) == ["Trips 2", "Trips 3"])
    let new = folder.file("New.sqlite")
    let summary = try StoreMigrator(options: options).migrate(store(), to: bundle, at: new)
    #expect(summary.objectCount == 1 && summary.plan.steps.count == 2)
    let rows = try GeneratorDatabase(path: new).rows("SELECT ZLENGTH, ZSIZE FROM ZTRIP")
    #expect(rows == [["small", .null]])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".coffer") })
  }

  @Test func versionsBetweenCanBeNamed() throws {
    var options = MigrationOptions(version: "Trips 3")
    options.intermediateVersions = ["Trips 2"]
    let plan = try StoreMigrator(options: options).plan(store(), to: bundle)
    #expect(plan.isPossible && !plan.isDetour && plan.steps.count == 2)
    options.intermediateVersions = ["Trips 7"]
    #expect(throws: CofferError.self) {
      try StoreMigrator(options: options).plan(store(), to: bundle)
    }
  }

  @Test func anArchiveIsMigratedAsItsStoreIs() throws {
    let archive = folder.file("Trips.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store()), to: archive)
    let migrator = StoreMigrator(options: MigrationOptions(version: "Trips 2"))
    let (first, second) = (folder.file("First.sqlite"), folder.file("Second.sqlite"))
    try migrator.migrate(store(), to: bundle, at: first)
    try migrator.migrate(archive, to: bundle, at: second)
    #expect(try StoreComparison().compare(first, second).isEqual)
    #expect(try migrator.plan(archive, to: bundle).isPossible)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".coffer") })
  }

  @Test func aStoreWithoutAModelIsToldByItsTables() throws {
    let path = try store()
    try GeneratorDatabase(path: path).run("DROP TABLE Z_MODELCACHE")
    let plan = try StoreMigrator(options: MigrationOptions(version: "Trips 2"))
      .plan(path, to: bundle)
    #expect(plan.isPossible)
    #expect(plan.steps.first?.oldName == "Trips 1")
    #expect(plan.notes.contains { $0.code == .versionByTables && !$0.code.isWarning })
  }

  @Test func aStoreWithoutAModelNeedsItsNameIfTwoVersionsHaveItsTables() throws {
    let path = try store()
    try GeneratorDatabase(path: path).run("DROP TABLE Z_MODELCACHE")
    try FileManager.default.copyItem(
      atPath: "\(bundle)/Trips 1.xcdatamodel", toPath: "\(bundle)/Trips 0.xcdatamodel")
    var options = MigrationOptions(version: "Trips 2")
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options).plan(path, to: bundle)
    }
    #expect(error.code == .unknownStoreModel)
    #expect(error.detail.hasSuffix("several versions fit its tables: Trips 0, Trips 1"))
    options.storeModel = "Trips 1"
    #expect(try StoreMigrator(options: options).plan(path, to: bundle).isPossible)
  }

  @Test func aStoreOfNoVersionIsAnsweredWithTheNearest() throws {
    let path = try store()
    let database = try GeneratorDatabase(path: path)
    try database.run("DROP TABLE Z_MODELCACHE")
    try database.run("ALTER TABLE ZTRIP ADD COLUMN ZCOLOR VARCHAR")
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: MigrationOptions(version: "Trips 2")).plan(path, to: bundle)
    }
    #expect(error.code == .unknownStoreModel)
    #expect(
      error.detail.hasSuffix(
        "the nearest is Trips 1 (Trip: the model does not explain the column ZCOLOR)"))
  }

  @Test func nothingIsOverwrittenUnasked() throws {
    let new = folder.file("New.sqlite")
    try Data("something".utf8).write(to: URL(fileURLWithPath: new))
    var options = MigrationOptions(version: "Trips 2")
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options).migrate(store(), to: bundle, at: new)
    }
    #expect(error.code == .outputExists)
    _ = try store()
    options.overwriting = true
    let target = folder.file("Target.sqlite")
    for _ in 0..<2 {
      try StoreMigrator(options: options).migrate(
        folder.file("Trips.sqlite"), to: bundle, at: target)
    }
    #expect(
      try PersistentStore(readingFrom: target).model["Trip"]?.attributes.map(\.name) == ["length"])
  }

  @Test func theHistoryStaysWhereItStaysTrue() throws {
    let source = folder.file("Todo.sqlite")
    try SampleStore.write(to: source)
    let new = folder.file("New.sqlite")
    let summary = try StoreMigrator().migrate(source, to: source, at: new)
    #expect(!summary.notes.contains { $0.code == .historyDropped })
    let comparison = try StoreComparison().compare(source, new)
    #expect(comparison.tables.isEmpty && comparison.pairs.total == 0)
    #expect(comparison.objects.total == 0 && comparison.externalData.total == 0)
    var findings: [String] = []
    _ = try Verifier().verify(new) { if $0.severity == .error { findings.append("\($0)") } }
    #expect(findings == [])
  }
}
