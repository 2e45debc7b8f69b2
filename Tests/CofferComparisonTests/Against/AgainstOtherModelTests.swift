internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store whose model is not that of the older state, as after a migration.
@Suite struct AgainstOtherModelTests {
  /// Replaces the store's copy of its model with a model in which a tag has another property.
  private func migrate(_ path: String) throws {
    let entities = TodoModel.model.entities.map { entity in
      var entity = entity
      if entity.name == "TagEntity" {
        entity.attributes.removeAll { $0.name == "color" }
        entity.attributes.append(AttributeDescription(name: "shade", type: .integer32))
      }
      return entity
    }
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: ["2"], source: .modelCache)
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try database.run(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(try ModelCacheWriter.write(model))])
    try database.run("ALTER TABLE ZTAGENTITY RENAME COLUMN ZCOLOR TO ZSHADE")
  }

  private func verify(
    _ samples: SampleSources, _ statements: [String]
  ) throws -> Verification {
    let changed = try samples.copy(changing: statements) { try migrate($0.path) }
    return try Verification(of: changed, against: samples.sample)
  }

  @Test func whatOnlyOneModelHasIsNotCompared() throws {
    let samples = try SampleSources()
    let verification = try verify(samples, ["UPDATE ZTAGENTITY SET ZNAME = 'n' WHERE Z_PK = 3"])
    let own: Set<CheckName> = [.against, .verification]
    let texts = verification.findings.filter { own.contains($0.code.check) }
      .map(Verification.text)
    #expect(texts == ["warning changed-without-version TagEntity/p3"])
    #expect(verification.findings.contains { $0.detail == "name" })
  }

  @Test func anotherUUIDAndAnotherModelCannotBeCompared() throws {
    let samples = try SampleSources()
    let verification = try verify(
      samples,
      [
        "UPDATE ZTAGENTITY SET ZNAME = 'n' WHERE Z_PK = 3",
        "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000001'",
      ])
    let own: Set<CheckName> = [.against, .verification]
    let texts = verification.findings.filter { own.contains($0.code.check) }
      .map(Verification.text)
    #expect(texts == ["warning store-uuid-changed", "warning check-not-run"])
    #expect(verification.summary.checksNotRun.contains(.against))
    #expect(!verification.summary.checks.contains(.against))
  }

  @Test func countersAreComparedWithoutAModel() throws {
    let samples = try SampleSources()
    let drop = "DROP TABLE Z_MODELCACHE"
    let older = try samples.copy(named: "Older", changing: [drop])
    let newer = try samples.copy(changing: [
      drop, "UPDATE ZTAGENTITY SET ZNAME = 'n' WHERE Z_PK = 3",
      "UPDATE ZLOCATIONENTITY SET Z_OPT = 8 WHERE Z_PK = 3",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1 WHERE Z_NAME = 'TagEntity'",
    ])
    var options = VerificationOptions()
    options.checks = [.against]
    let verification = try Verification(of: newer, against: older, options: options)
    #expect(
      verification.texts == [
        "error counter-went-backwards TagEntity", "error version-went-backwards LocationEntity/p3",
        "warning check-not-run",
      ])
  }

  @Test func anOlderFileThatIsNotThereIsAnError() throws {
    let samples = try SampleSources()
    let code = errorCode {
      _ = try Verification(of: samples.sample, against: samples.directory.file("None.sqlite"))
    }
    #expect(code == "not-found")
  }

  @Test func anOlderFileThatIsDamagedIsAnError() throws {
    let samples = try SampleSources()
    let older = try samples.copy(named: "Older")
    try Damage.brokenPage.apply(to: older)
    let code = errorCode { _ = try Verification(of: samples.sample, against: older) }
    #expect(code == "damaged-store")
  }

  @Test func aVerifiedStoreThatIsDamagedIsNotCompared() throws {
    let samples = try SampleSources()
    let newer = try samples.copy(named: "Newer")
    try Damage.brokenPage.apply(to: newer)
    let verification = try Verification(of: newer, against: samples.sample)
    #expect(verification.texts.contains("warning check-not-run"))
    #expect(verification.summary.checksNotRun.contains(.against))
  }
}
