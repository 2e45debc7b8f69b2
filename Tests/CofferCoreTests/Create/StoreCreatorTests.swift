internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The sources of model, hashes and choices, and refused models.
@Suite struct StoreCreatorTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes the source of a model.
  private func source(_ entities: Name, named name: String = "M") throws -> String {
    let path = folder.file("\(name).xcdatamodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    _ = try folder.write(
      Array("<?xml version='1.0'?><model>\(entities)</model>".utf8),
      to: "\(name).xcdatamodel/contents")
    return path
  }

  private static let open = """
    <entity name='A'><attribute name='name' attributeType='String' optional='YES'/>
    <relationship name='heads' toMany='YES' optional='YES' destinationEntity='A' inverseName='tails' inverseEntity='A'/>
    <relationship name='tails' toMany='YES' optional='YES' destinationEntity='A' inverseName='heads' inverseEntity='A'/>
    </entity>
    """

  private func creator(_ options: CreationOptions = CreationOptions()) -> StoreCreator {
    StoreCreator(options: options)
  }

  @Test func aSourceGivesAStoreWithoutHashes() throws {
    let model = try source("<entity name='A'><attribute name='n' attributeType='String'/></entity>")
    let path = folder.file("A.sqlite")
    let summary = try creator().create(model, at: path)
    #expect(!summary.hasVersionHashes)
    #expect(summary.frameworkVersion == 1526)
    #expect(summary.notes == [])
    let store = try PersistentStore(readingFrom: path)
    #expect(store.metadata.modelVersionHashes == [:])
    #expect(store.metadata.modelVersionHashesDigest == nil)
    #expect(store.model.source == .modelCache)
    let findings = try Verification(of: path).texts
    #expect(findings.filter { $0.hasPrefix("error") } == [])
  }

  @Test func whatIsOpenIsRefusedAndNothingIsWritten() throws {
    let model = try source(Name(Self.open))
    let before = try folder.contents()
    do {
      try creator().create(model, at: folder.file("A.sqlite"))
      Issue.record("it was created")
    } catch let error as CofferError {
      #expect(error.code == .refused)
      #expect(error.detail.contains("A.heads, A.tails"))
      #expect(error.advice == [.giveExampleStore])
    }
    #expect(try folder.contents() == before)
  }

  /// A store of the model that leaves something open, made by the generator of tests.
  private func example(_ model: ManagedObjectModel) throws -> String {
    let path = folder.file("Like.sqlite")
    try SampleStoreBuilder(path: path, model: model).finish()
    return path
  }

  @Test func aStoreOfTheModelDecidesAndGivesItsHashes() throws {
    let model = try source(Name(Self.open))
    let like = try example(try ModelLoader.model(from: model))
    let path = folder.file("A.sqlite")
    let summary = try creator(CreationOptions(example: like)).create(model, at: path)
    #expect(summary.hasVersionHashes)
    #expect(summary.frameworkVersion == 1448)
    let (store, other) = (
      try PersistentStore(readingFrom: path), try PersistentStore(readingFrom: like)
    )
    #expect(Set(store.catalog.statements.map(\.sql)) == Set(other.catalog.statements.map(\.sql)))
    #expect(store.metadata.modelVersionHashes == other.metadata.modelVersionHashes)
    #expect(store.metadata.modelVersionHashesDigest == other.metadata.modelVersionHashesDigest)
    #expect(try Verification(of: path).texts == [])
    // An archive of it does the same.
    let archive = folder.file("archive")
    try StoreExporter().export(other, to: archive)
    let again = folder.file("B.sqlite")
    try creator(CreationOptions(example: archive)).create(model, at: again)
    #expect(
      try PersistentStore(readingFrom: again).catalog.statements == store.catalog.statements)
  }

  @Test func anExampleOfAnotherModelIsRefused() throws {
    let like = try example(try ModelLoader.model(from: try source(Name(Self.open))))
    let changed = Self.open.replacingOccurrences(of: "'String' optional='YES'", with: "'String'")
    let model = try source(Name(changed), named: "N")
    let path = folder.file("A.sqlite")
    let code = errorCode {
      try creator(CreationOptions(example: like)).create(model, at: path)
    }
    #expect(code == "refused")
  }

  @Test func theFrameworkIsThatWhichWasAskedFor() throws {
    let sample = try SampleCopy()
    let path = folder.file("A.sqlite")
    for version in [363, 754, 1348, 3000] as [Int64] {
      let summary = try creator(
        CreationOptions(frameworkVersion: version, overwriting: true)
      ).create(sample.path, at: path)
      #expect(summary.frameworkVersion == version)
      #expect(summary.notes.contains { $0.contains("newer") } == (version == 3000))
      let store = try PersistentStore(readingFrom: path)
      #expect(store.frameworkVersion == version)
      #expect((store.model.source == .modelCache) == (version >= 637))
      #expect((store.metadata.modelVersionHashesDigest != nil) == (version >= 973))
      #expect((store.metadata.modelVersionChecksum != nil) == (version >= 1321))
    }
    for version in [Int64.min, -1, 0, 362] {
      #expect(
        errorCode {
          try creator(CreationOptions(frameworkVersion: version, overwriting: true))
            .create(sample.path, at: path)
        } == "refused")
    }
  }

  /// Its triggers are taken from it, because Core Data's triggers for subentities are unknown.
  @Test func theSampleIsCreatedAgain() throws {
    let sample = try SampleCopy()
    let path = folder.file("A.sqlite")
    let summary = try creator().create(sample.path, at: path)
    #expect(summary.notes == [])
    #expect(try Verification(of: path).texts == [])
    #expect(try RoundTrip(of: path).problems() == [])
    let (store, other) = (
      try PersistentStore(readingFrom: path), try PersistentStore(readingFrom: sample.path)
    )
    #expect(store.model == other.model)
    func texts(_ store: PersistentStore) -> Set<String> {
      Set(store.catalog.statements.map(\.sql))
    }
    #expect(texts(store) == texts(other))
    #expect(summary.triggerCount == other.catalog.triggers.count)
  }

  @Test func aStoreThatIsThereStaysUnlessItIsToBeReplaced() throws {
    let sample = try SampleCopy()
    let path = try folder.write("mine".utf8, to: "A.sqlite")
    #expect(errorCode { try creator().create(sample.path, at: path) } == "output-exists")
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    try creator(CreationOptions(overwriting: true)).create(sample.path, at: path)
    #expect(try Verification(of: path).texts == [])
    #expect(try folder.contents() == ["A.sqlite"])
    #expect(
      errorCode { try creator().create(sample.path, at: folder.file("no/A.sqlite")) }
        == "write-failed")
  }

  @Test func theUUIDCanBeGiven() throws {
    let sample = try SampleCopy()
    let uuid = "6b0b4a5c-6c0f-4b7c-9b9e-4d7c0a3d1e99"
    let summary = try creator(CreationOptions(storeUUID: uuid))
      .create(sample.path, at: folder.file("A.sqlite"))
    #expect(summary.storeUUID == uuid.uppercased())
    #expect(
      errorCode {
        try creator(CreationOptions(storeUUID: "x"))
          .create(sample.path, at: folder.file("B.sqlite"))
      } == "refused")
  }

  @Test func whatIsNoModelIsRefused() throws {
    let path = folder.file("A.sqlite")
    #expect(errorCode { try creator().create(folder.file("no"), at: path) } == "not-found")
    let text = try folder.write("{}".utf8, to: "text")
    #expect(errorCode { try creator().create(text, at: path) } == "not-a-model")
    let model = try source("<entity name='A'/>")
    #expect(
      errorCode { try creator(CreationOptions(example: text)).create(model, at: path) }
        == "not-sqlite")
    #expect(
      errorCode { try creator(CreationOptions(modelVersion: "x")).create(model, at: path) }
        == "not-a-model")
  }

  @Test func aCancelledCreationLeavesNothing() async throws {
    let sample = try SampleCopy()
    let (source, target) = (sample.path, folder.file("A.sqlite"))
    let task = Task { @concurrent in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = try StoreCreator().create(source, at: target)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.contents() == [])
  }

  @Test(.timeLimit(.minutes(5))) func aModelOfThousandsOfEntitiesIsCreated() throws {
    let entities = (1...2000).map { number in
      """
      <entity name='E\(number)'\(number % 50 == 1 ? "" : " parentEntity='E\(number - 1)'")>
      <attribute name='same' attributeType='String'/>
      <relationship name='r' maxCount='1' destinationEntity='E\(number)'/></entity>
      """
    }
    let path = folder.file("A.sqlite")
    let summary = try creator().create(try source(Name(entities.joined())), at: path)
    #expect(summary.entityCount == 2000)
    #expect(summary.tableCount == 40)
    #expect(try PersistentStore(readingFrom: path).layout.missing == [])
  }
}
