internal import CofferComparison
internal import CofferCore
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The model of the environment, which both sides of a comparison must have.
@Suite struct ComparisonModelTests {
  private func options(_ model: LoadedModel?) -> ComparisonOptions {
    ComparisonOptions(environment: WorkEnvironment(model: model))
  }

  @Test func aStoreWithoutCopyOfItsModelIsReadWithTheGivenOne() throws {
    let sample = try SampleCopy()
    let model = try ModelLoader.load(from: sample.path)
    let bare = try SampleCopy()
    try Damage.missingModelCache.apply(to: bare.path)
    var aspects = options(model)
    aspects.entityNames = model.model.entities.map(\.name)
    let summary = try StoreComparison(options: aspects).compare(sample.path, bare.path) {
      Issue.record("\($0.text)")
    }
    #expect(summary.isEqual)
    aspects.environment.model = nil
    var names: [String] = []
    try StoreComparison(options: aspects).compare(sample.path, bare.path) { names.append($0.text) }
    #expect(!names.isEmpty)
  }

  @Test func anotherModelIsRefused() throws {
    let sample = try SampleCopy()
    var entities = try ModelLoader.load(from: sample.path).model.entities
    let position = try #require(entities.firstIndex { !$0.attributes.isEmpty })
    entities[position].attributes[0].isOptional.toggle()
    let other = LoadedModel(
      ManagedObjectModel(entities: entities, source: .file), place: "Other.mom")
    let archive = sample.folder.file("Todo.coffer.tar.gz")
    try StoreExporter().export(storeAt: sample.path, to: archive)
    for pair in [(sample.path, sample.path), (archive, archive)] {
      let error = #expect(throws: CofferError.self) {
        try StoreComparison(options: options(other)).compare(pair.0, pair.1)
      }
      #expect(error?.code == .modelMismatch)
    }
  }
}
