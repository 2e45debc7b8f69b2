internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Models that are given for a store or an archive, and whether they are its own.
@Suite struct ModelFitTests {
  /// The model of the sample, and one with a change that Core Data would notice.
  private func models(_ sample: SampleCopy) throws -> (own: LoadedModel, other: LoadedModel) {
    let own = try ModelLoader.load(from: sample.path)
    var entities = own.model.entities
    let position = try #require(entities.firstIndex { !$0.attributes.isEmpty })
    entities[position].attributes[0].isOptional.toggle()
    let other = ManagedObjectModel(entities: entities, source: .file)
    return (own, LoadedModel(other, place: "Other.mom"))
  }

  private func export(_ store: String, to archive: String, _ model: LoadedModel?) throws {
    var options = ExportOptions()
    options.environment.model = model
    try StoreExporter(options: options).export(
      try PersistentStore(readingFrom: store), to: archive)
  }

  private func `import`(_ archive: String, to store: String, _ model: LoadedModel?) throws {
    var options = ImportOptions()
    options.environment.model = model
    try StoreImporter(options: options).import(archive, to: store)
  }

  private func inspect(_ path: String, _ model: LoadedModel?) throws -> Inspection {
    try StoreInspector(environment: WorkEnvironment(model: model)).inspect(path)
  }

  @Test func theStoresOwnModelChangesNothing() throws {
    let sample = try SampleCopy()
    let (own, _) = try models(sample)
    #expect(!own.versionHashes.isEmpty)
    let (with, without) = (sample.folder.file("a.tgz"), sample.folder.file("b.tgz"))
    try export(sample.path, to: with, own)
    try export(sample.path, to: without, nil)
    #expect(
      FileManager.default.contentsEqual(atPath: with, andPath: without))
    try `import`(with, to: sample.folder.file("Copy.sqlite"), own)
    #expect(try inspect(sample.path, own).entities.count == own.model.entities.count)
    #expect(try inspect(with, own).entities.count == own.model.entities.count)
  }

  @Test func anotherModelIsRefusedAndNamed() throws {
    let sample = try SampleCopy()
    let (_, other) = try models(sample)
    let archive = sample.folder.file("a.tgz")
    try export(sample.path, to: archive, nil)
    let before = try sample.folder.contents()
    let attempts: [() throws -> Void] = [
      { try export(sample.path, to: sample.folder.file("b.tgz"), other) },
      { try `import`(archive, to: sample.folder.file("Copy.sqlite"), other) },
      { _ = try inspect(sample.path, other) },
      { _ = try inspect(archive, other) },
    ]
    for attempt in attempts {
      let error = #expect(throws: CofferError.self) { try attempt() }
      #expect(error?.code == .modelMismatch)
      #expect(error?.detail.contains("Other.mom is a different model") == true)
      #expect(error?.detail.contains("optional") == true)
    }
    #expect(try sample.folder.contents() == before)
  }

  /// A store without a copy of its model is recognized by its version hashes.
  @Test func aModelWithOtherHashesIsRefused() throws {
    let sample = try SampleCopy()
    var (own, _) = try models(sample)
    try sample.change("DROP TABLE Z_MODELCACHE")
    #expect(try inspect(sample.path, own).model.source == .file)
    let name = try #require(own.versionHashes.keys.sorted().first)
    own.versionHashes[name] = VersionHash(bytes: [UInt8](repeating: 1, count: 32))
    let error = #expect(throws: CofferError.self) { try inspect(sample.path, own) }
    #expect(error?.detail.contains("\(name): the version hashes differ") == true)
  }

  /// If neither model nor hashes can be compared, the tables decide.
  @Test func aModelThatTheTablesContradictIsRefused() throws {
    let sample = try SampleCopy()
    let (own, _) = try models(sample)
    try sample.change("DROP TABLE Z_MODELCACHE")
    var entities = own.model.entities
    let position = try #require(entities.firstIndex { !$0.attributes.isEmpty })
    let name = entities[position].name
    entities[position].attributes.append(AttributeDescription(name: "shoeSize", type: .integer16))
    entities.append(EntityDescription(name: "Zebra"))
    let wrong = LoadedModel(ManagedObjectModel(entities: entities, source: .file))
    let error = #expect(throws: CofferError.self) { try inspect(sample.path, wrong) }
    #expect(
      error?.detail.contains("\(name).shoeSize: the store has no column or table for it") == true)
    #expect(error?.detail.contains("Zebra: the store lacks the entity") == true)
    let right = LoadedModel(own.model)
    #expect(try inspect(sample.path, right).model.source == .file)
  }

  /// Stores of before the model cache, exported with the sources of their app.
  @Test(.enabled(if: RealStores.isAvailable, "needs COFFER_REAL_STORES"))
  func anOldStoreGetsItsNamesFromItsSource() throws {
    for version in 1...5 {
      let store = try #require(RealStores.named("data/ATDataModelv\(version).sqlite"))
      let folder = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: folder)
      var matches: [Int] = []
      for candidate in 1...5 {
        let model = try apptentive(candidate, beside: store)
        let archive = folder.file("\(candidate).tgz")
        do {
          try export(path, to: archive, model)
        } catch let error as CofferError where error.code == .modelMismatch {
          continue
        }
        matches.append(candidate)
        let inspection = try inspect(archive, nil)
        #expect(inspection.model.source == .file)
        let copy = folder.file("\(candidate).sqlite")
        try `import`(archive, to: copy, model)
        #expect(try StoreComparer().differences(path, copy) == [])
      }
      #expect(matches.contains(version), "\(version): \(matches)")
    }
  }

  private func apptentive(_ version: Int, beside store: RealStore) throws -> LoadedModel {
    let tests = URL(fileURLWithPath: store.path).deletingLastPathComponent()
    let app = tests.deletingLastPathComponent().deletingLastPathComponent()
    let models = app.appendingPathComponent("Apptentive/Model/ATDataModel.xcdatamodeld").path
    return try ModelLoader.load(
      from: models, version: "ATDataModel" + (version == 1 ? "" : " \(version)"))
  }
}
