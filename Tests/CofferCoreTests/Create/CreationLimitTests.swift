internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A model may have any size, but an archive must be able to contain a store of it.
@Suite struct CreationLimitTests {
  @Test func aModelWithTooManyTablesIsRefused() throws {
    let sample = try SampleCopy()
    let folder = try TemporaryDirectory()
    var options = CreationOptions()
    options.environment.limits.statements = 20
    let error = #expect(throws: CofferError.self) {
      try StoreCreator(options: options).create(sample.path, at: folder.file("New.sqlite"))
    }
    #expect(error?.code == .modelLimit)
    #expect(error?.advice == [.raiseLimit("schema")])
    #expect(try folder.contents() == [])
    options.environment.limits.properties = 20
    let other = #expect(throws: CofferError.self) {
      try StoreCreator(options: options).create(sample.path, at: folder.file("New.sqlite"))
    }
    #expect(other?.code == .modelLimit)
    #expect(other?.advice == [.raiseLimit("model")])
    options.environment.limits.properties = 200
    options.environment.limits.statements = 200
    try StoreCreator(options: options).create(sample.path, at: folder.file("New.sqlite"))
  }

  @Test(arguments: [ArchiveLimits.Name.schemaSize, .statementSize, .statements])
  func aModelWithALongSchemaIsRefused(_ name: ArchiveLimits.Name) throws {
    let sample = try SampleCopy()
    let folder = try TemporaryDirectory()
    var environment = WorkEnvironment()
    environment.limits[name] = 20
    var options = CreationOptions()
    options.environment = environment
    let error = #expect(throws: CofferError.self) {
      try StoreCreator(options: options).create(sample.path, at: folder.file("New.sqlite"))
    }
    var migration = MigrationOptions()
    migration.environment = environment
    let other = #expect(throws: CofferError.self) {
      try StoreMigrator(options: migration)
        .migrate(sample.path, to: sample.path, at: folder.file("New.sqlite"))
    }
    for error in [error, other] {
      #expect(error?.code == .modelLimit && error?.advice == [.raiseLimit(name.group.rawValue)])
    }
    #expect(try folder.contents() == [])
  }
}
