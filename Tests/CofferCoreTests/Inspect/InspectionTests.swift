internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@Suite struct InspectionTests {
  let samples: SampleSources
  let inspector = StoreInspector()

  init() throws { samples = try SampleSources() }

  @Test(arguments: [false, true]) func sampleIsCounted(_ isArchive: Bool) throws {
    let path = isArchive ? try samples.archive(of: samples.sample) : samples.sample
    let found = try inspector.inspect(path)
    #expect(found.kind == (isArchive ? .archive : .store))
    let counts = Dictionary(uniqueKeysWithValues: found.entities.map { ($0.name, $0.objectCount) })
    #expect(
      counts == [
        "AttachmentEntity": 5, "ItemEntity": 0, "NoteEntity": 4, "TodoEntity": 4,
        "RecurringTodoEntity": 1, "LocationEntity": 3, "PersonEntity": 6, "SettingsEntity": 3,
        "TagEntity": 7, "VisitEntity": 4,
      ])
    #expect(found.objectCount == 37)
    let recurring = try #require(found.entities.first { $0.name == "RecurringTodoEntity" })
    #expect(recurring.superentityName == "TodoEntity")
    #expect(recurring.number == 5)
    #expect(recurring.attributes.map(\.name) == ["interval", "nextDate"])
    #expect(found.entities.filter(\.isAbstract).map(\.name) == ["ItemEntity"])
    #expect(
      found.relationships.sorted { $0.relationshipName < $1.relationshipName }.map {
        "\($0.entityName).\($0.relationshipName)/\($0.inverseName ?? "") \($0.pairCount)"
      }
        == [
          "TodoEntity.assignees/assignments \(try pairs("Z_4ASSIGNEES"))",
          "PersonEntity.friends/friends 3",
          "NoteEntity.backlinks/links \(try pairs("Z_3BACKLINKS"))",
          "TodoEntity.tags/todos 8",
        ].sorted { $0.split(separator: ".")[1] < $1.split(separator: ".")[1] })
    let history = try #require(found.history)
    #expect(history.transactionCount == 5)
    #expect(history.firstDate == "2025-01-01T09:00:00Z")
    #expect(history.lastDate == "2025-01-01T09:04:00Z")
    #expect(history.tables.map(\.name) == ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
    #expect(found.externalData.fileCount == 2)
    #expect(found.externalData.byteCount == 20_003)
    #expect(found.metadata.map(\.name) == ["AppLastSync", "AppSettings"])
    #expect(found.metadata.first?.value == "2025-01-01T09:00:00.125Z")
    #expect(
      found.metadata.last?.value
        == #"{"beta": true, "columns": [3, 0.5], "theme": "dark 🌒", "token": <000102ff>}"#)
    #expect(found.model == TodoModel.model)
    #expect(found.model.source == .modelCache)
    #expect(found.versionIdentifiers == ["1.2"])
    #expect(found.settings.journalMode == "wal")
    #expect(found.settings.autoVacuum == "incremental")
    #expect(found.unknownTables.isEmpty)
    #expect(found.unknownColumns.isEmpty)
    #expect(found.cloudKit.isEmpty)
    #expect(found.modelProblem == nil)
  }

  private func pairs(_ table: String) throws -> Int64 {
    try GeneratorDatabase(path: samples.copy(named: table)).integer("SELECT count(*) FROM \(table)")
      ?? -1
  }

  @Test func externalReferencesAreCounted() throws {
    let path = try samples.copy { files in
      try FileManager.default.removeItem(
        atPath: "\(files.externalDataFolder)/0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1")
      try Data([1]).write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/orphan"))
    }
    let found = try inspector.inspect(path).externalData
    #expect(found.referenceCount == 2)
    #expect(found.missingFileCount == 1)
    #expect(found.orphanedFileCount == 1)
    #expect(found.fileCount == 2)
  }

  @Test func inferredModelSaysSo() throws {
    let path = try samples.copy(changing: ["DELETE FROM Z_MODELCACHE"])
    #expect(try inspector.inspect(path).model.source == .inferred)
    #expect(try inspector.inspect(samples.archive(of: path)).model.source == .inferred)
  }

  @Test func damagedModelIsAProblem() throws {
    let path = try samples.copy(changing: ["UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"])
    let found = try inspector.inspect(path)
    #expect(found.model.source == .inferred)
    #expect(found.modelProblem != nil)
  }

  @Test func damagedMetadataAreAProblem() throws {
    let path = try samples.copy(changing: ["UPDATE Z_METADATA SET Z_PLIST = x'00'"])
    for source in [path, try samples.archive(of: path)] {
      let found = try inspector.inspect(source)
      #expect(found.metadata.isEmpty)
      #expect(found.metadataProblem != nil)
    }
  }

  @Test(arguments: [false, true]) func unknownPartsAreListed(_ isArchive: Bool) throws {
    let store = try samples.copy(changing: [
      "CREATE TABLE notes (a, b)", "INSERT INTO notes VALUES (1, 2), (3, 4)",
      "ALTER TABLE ZTAGENTITY ADD COLUMN ZEXTRA", "UPDATE ZTAGENTITY SET Z_ENT = 99 WHERE Z_PK = 1",
      "ALTER TABLE ZTAGENTITY DROP COLUMN ZCOLOR",
    ])
    let found = try inspector.inspect(isArchive ? samples.archive(of: store) : store)
    #expect(found.unknownTables.map { "\($0.name) \($0.rowCount)" } == ["notes 2"])
    #expect(found.unknownColumns.map { "\($0.tableName).\($0.name)" } == ["ZTAGENTITY.ZEXTRA"])
    #expect(found.entities.first { $0.name == "TagEntity" }?.objectCount == 6)
    #expect(found.entities.last?.name == "")
    #expect(found.entities.last?.objectCount == 1)
    #expect(found.missingParts?.map(\.property) == (isArchive ? nil : ["color"]))
  }

  @Test func archiveTellsItsFacts() throws {
    let path = samples.directory.file("Facts")
    let summary = try StoreExporter().export(
      PersistentStore(readingFrom: samples.sample), to: path)
    let facts = try #require(try inspector.inspect(path).archive)
    #expect(facts.digest == summary.digest)
    #expect(facts.byteCount == summary.byteCount)
    #expect(facts.plainByteCount == summary.plainByteCount)
    #expect(facts.formatVersion == 1)
    #expect(!facts.isRepacked)
  }

  @Test func sourcesAreKnownByTheirContent() throws {
    #expect(try SourceKind(ofFileAt: samples.sample) == .store)
    let archive = try samples.archive(of: samples.sample)
    let renamed = samples.directory.file("Other.sqlite")
    try FileManager.default.moveItem(atPath: archive, toPath: renamed)
    #expect(try SourceKind(ofFileAt: renamed) == .archive)
    let empty = try samples.directory.write([], to: "empty")
    #expect(try SourceKind(ofFileAt: empty) == .store)
    #expect(#expect(throws: CofferError.self) { try inspector.inspect(empty) }?.code == .notSQLite)
    let none = samples.directory.file("none")
    #expect(#expect(throws: CofferError.self) { try inspector.inspect(none) }?.code == .notFound)
    let folder = samples.directory.path
    #expect(
      #expect(throws: CofferError.self) { try inspector.inspect(folder) }?.code == .notCoreData)
  }
}
