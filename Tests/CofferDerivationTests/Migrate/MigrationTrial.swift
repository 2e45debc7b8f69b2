internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store, its migration, and the verdict of an independent judge.
struct MigrationTrial {
  let folder: TemporaryDirectory
  /// The store that is migrated.
  let old: String
  /// An empty store of the new model, which represents it.
  let model: String
  /// Where the new store goes.
  var new: String { folder.file("New.sqlite") }

  /// Writes a store of a model and an empty one of another.
  init(
    from oldModel: ManagedObjectModel, to newModel: ManagedObjectModel,
    _ fill: (SampleStoreBuilder) throws -> Void
  ) throws {
    folder = try TemporaryDirectory()
    old = folder.file("Old.sqlite")
    model = folder.file("Model.sqlite")
    let builder = try SampleStoreBuilder(path: old, model: oldModel, journal: .delete)
    try fill(builder)
    try builder.finish()
    try SampleStoreBuilder(path: model, model: newModel, journal: .delete).finish()
  }

  @discardableResult
  func migrate(_ options: MigrationOptions = MigrationOptions()) throws -> MigrationSummary {
    try StoreMigrator(options: options).migrate(old, to: model, at: new)
  }

  func plan() throws -> MigrationPlan { try StoreMigrator().plan(old, to: model) }

  /// Migrates, and reports the problems of the result.
  func problems() throws -> [String] {
    try migrate()
    return try Self.problems(from: old, to: new)
  }

  /// What an independent judge and a verification find wrong with a migrated store.
  static func problems(
    from old: String, to new: String, oldModel: String = "-", newModel: String = "-",
    hasHashes: Bool = true
  ) throws -> [String] {
    var found = try judge(old, new, oldModel, newModel)
    var options = VerificationOptions()
    if newModel != "-" { options.environment.model = try ModelLoader.load(from: newModel) }
    if !hasHashes { options.skippedCodes = [.noVersionHashes] }
    _ = try Verifier(options: options).verify(new) { finding in
      if finding.severity == .error { found.append("\(finding)") }
    }
    return found
  }

  /// The differences that the judge finds.
  private static func judge(
    _ old: String, _ new: String, _ oldModel: String, _ newModel: String
  ) throws -> [String] {
    let oracles = try #require(Oracle.folder)
    let python = try #require(ProcessRunner.find("python3"))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("compare-migration.py").path
    let result = try ProcessRunner(python)
      .run([script, oracles, old, new, oldModel, newModel])
    guard result.status != 0 else { return [] }
    return (result.output + result.errorOutput).split(separator: "\n").map(String.init)
  }

  /// The rows that a query gives, their values separated by bars.
  func rows(_ sql: String) throws -> [String] {
    try GeneratorDatabase(path: new).rows(sql).map { row in
      row.map { value in
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: " ")
        }
      }.joined(separator: "|")
    }
  }
}
