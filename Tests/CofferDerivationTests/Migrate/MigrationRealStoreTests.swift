internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Migrations of real stores, by models of their apps, judged by an independent script.
@Suite(.enabled(if: RealStores.isAvailable && Oracle.isAvailable))
struct MigrationRealStoreTests {
  @Test(arguments: RealMigration.possible)
  func everyValueSurvives(_ migration: RealMigration) throws {
    let folder = try TemporaryDirectory()
    let (source, model) = try migration.paths()
    let new = folder.file("New.sqlite")
    let before = try Self.state(of: source)
    let summary = try StoreMigrator(options: migration.options).migrate(source, to: model, at: new)
    let isOld = try PersistentStore(readingFrom: new).model.source == .inferred
    let file = ".xcdatamodel"
    let problems = try MigrationTrial.problems(
      from: source, to: new,
      oldModel: migration.from.map { "\(model)/\($0)\(file)" } ?? "-",
      newModel: isOld ? "\(model)/\(migration.version)\(file)" : "-",
      hasHashes: !summary.notes.contains { $0.code == .noVersionHashes })
    #expect(problems == [])
    #expect(try Self.state(of: source) == before)
    try expectTheSchemaOfAFreshStore(new, isOld: isOld)
    try expectWhatCreateGives(new, isOld: isOld, in: folder)
    try expectARoundTrip(new, in: folder)
  }

  /// The names in the folder of a store, and the bytes of its files.
  private static func state(of store: String) throws -> FolderState {
    let url = URL(fileURLWithPath: store)
    return try FolderState(
      of: url.deletingLastPathComponent().path, bytesOf: [url.lastPathComponent])
  }

  /// The independent writer of schemas makes the same statements for the model in the store.
  private func expectTheSchemaOfAFreshStore(_ path: String, isOld: Bool) throws {
    guard !isOld else { return }
    let result = try Oracle.run("ddl.py", [path, "-v"])
    let lines = result.output.split(separator: "\n")
    let wrong = lines.filter { $0.hasPrefix("  DIFF") || $0.hasPrefix("  MISSING") }
    #expect(wrong.isEmpty && !lines.isEmpty, "\(result.output)")
  }

  /// An empty store of the model has the same schema.
  private func expectWhatCreateGives(
    _ path: String, isOld: Bool, in folder: TemporaryDirectory
  ) throws {
    guard !isOld else { return }
    let empty = folder.file("Empty.sqlite")
    try StoreCreator().create(path, at: empty)
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    #expect(
      try GeneratorDatabase(path: path).rows(sql) == GeneratorDatabase(path: empty).rows(sql))
  }

  @Test(arguments: RealStores.all)
  func everyStoreMigratesToItsOwnModel(_ store: RealStore) throws {
    let source = try PersistentStore(readingFrom: store.path)
    guard source.model.source != .inferred else { return }
    let folder = try TemporaryDirectory()
    let new = folder.file(store.fileName)
    let summary = try StoreMigrator().migrate(store.path, to: store.path, at: new)
    let isIdentity = summary.plan.steps.allSatisfy { $0.mapping.isIdentity }
    #expect(isIdentity)
    let problems = try MigrationTrial.problems(from: store.path, to: new)
    #expect(problems == [])
  }

  /// What was migrated comes back from an archive as it was.
  private func expectARoundTrip(_ path: String, in folder: TemporaryDirectory) throws {
    let trip = try RoundTrip(of: path)
    #expect(try trip.problems() == [])
  }

  @Test(arguments: RealMigration.impossible)
  func whatCannotBeInferredIsRefusedWithReasons(_ migration: RealMigration) throws {
    let folder = try TemporaryDirectory()
    let (source, model) = try migration.paths()
    let new = folder.file("New.sqlite")
    let migrator = StoreMigrator(options: migration.options)
    let error = try #require(throws: CofferError.self) {
      try migrator.migrate(source, to: model, at: new)
    }
    let reasons = error.problems.map { "\($0.place) \($0.code.text)" }
    #expect(reasons == migration.reasons)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let plan = try migrator.plan(source, to: model)
    #expect(plan.problems == error.problems)
  }

  @Test func aChainIsTheSameAsItsSteps() throws {
    let folder = try TemporaryDirectory()
    let first = try #require(RealMigration.possible.first { $0.version == "SRGUserData_v2" })
    let (source, model) = try first.paths()
    var current = source
    for number in 2...5 {
      let next = folder.file("v\(number).sqlite")
      try StoreMigrator(options: MigrationOptions(version: "SRGUserData_v\(number)"))
        .migrate(current, to: model, at: next)
      current = next
    }
    var options = MigrationOptions(version: "SRGUserData_v5")
    options.intermediateVersions = (2...4).map { "SRGUserData_v\($0)" }
    let chain = folder.file("chain.sqlite")
    let summary = try StoreMigrator(options: options).migrate(source, to: model, at: chain)
    #expect(summary.plan.steps.count == 4)
    let result = try Oracle.run("samestore.py", [chain, current])
    #expect(result.status == 0, "\(result.output)")
  }
}
