internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Stores of invented objects: valid, complete, and the same for the same seed.
@Suite struct FixtureTests {
  /// The findings of a verification that are more than information.
  private func findings(_ path: String) throws -> [Finding] {
    var options = VerificationOptions()
    options.environment = .inPlace
    var found: [Finding] = []
    try Verifier(options: options).verify(path) { if $0.severity > .info { found.append($0) } }
    return found
  }

  private func digest(_ store: String, _ folder: TemporaryDirectory) throws -> String {
    try StoreExporter()
      .export(storeAt: store, to: .file(folder.file("Digest.coffer.tar.gz"), overwriting: true))
      .contentDigest
  }

  /// The stores with a copy of their model.
  static let stores = RealStores.any.filter { store in
    guard let folder = try? TemporaryDirectory(),
      let path = try? RealStores.copy(store, to: folder),
      let model = try? ModelLoader.model(from: path)
    else { return false }
    return model.source != .inferred
  }

  /// One seed of each is tried (``Effort``).
  @Test(arguments: stores)
  func everyModelHasAFixtureWithoutFindings(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    for seed in 1...Effort.tries(1 as UInt64) {
      let made = folder.file("Fixture.sqlite")
      var options = FixtureOptions(objectCount: 10, seed: seed)
      options.overwriting = true
      let summary = try FixtureMaker(options: options).make(path, at: made)
      #expect(summary.content.objectCount > 0 || summary.content.store.entityCount == 0)
      #expect(try findings(made) == [], "seed \(seed)")
    }
  }

  @Test func theSameSeedMakesTheSameStore() throws {
    let folder = try TemporaryDirectory()
    let model = folder.file("Model.sqlite")
    try SampleStore.write(to: model)
    func made(_ name: String, _ options: FixtureOptions) throws -> String {
      try FixtureMaker(options: options).make(model, at: folder.file(name))
      return try digest(folder.file(name), folder)
    }
    let options = FixtureOptions(objectCount: 30, seed: 7)
    let first = try made("1.sqlite", options)
    #expect(try made("2.sqlite", options) == first)
    #expect(try made("3.sqlite", FixtureOptions(objectCount: 30, seed: 8)) != first)
    let alike = FixtureOptions(seed: 7, like: model)
    #expect(try made("4.sqlite", alike) == made("5.sqlite", alike))
  }

  /// 30 models are tried (``Effort``).
  @Test func randomModelsHaveFixturesWithoutFindings() throws {
    for seed in 1...Effort.tries(30 as UInt64) {
      let folder = try TemporaryDirectory()
      let (model, made) = (folder.file("Model.sqlite"), folder.file("Fixture.sqlite"))
      try SampleStoreBuilder(
        path: model, model: RandomFixtureModel(seed: seed).model, journal: .delete
      ).finish()
      do {
        try FixtureMaker(options: FixtureOptions(objectCount: 12, seed: seed)).make(model, at: made)
        #expect(try findings(made) == [], "seed \(seed)")
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }
}
