internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The names of tables and columns of pairs that do not follow from a model: Core Data's choice is another
/// one when the properties of the entity change.
@Suite struct MigrationNameTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// People who know each other: one entity with two relationships that are each other's inverse.
  private func person(_ attributes: [String], others: [String] = []) -> ManagedObjectModel {
    let person = EntityDescription(
      name: "Person", className: "Person",
      attributes: attributes.map { AttributeDescription(name: Name($0), type: .string) },
      relationships: [
        RelationshipDescription(
          name: "fans", destinationName: "Person", inverseName: "idols", maxCount: 0),
        RelationshipDescription(
          name: "idols", destinationName: "Person", inverseName: "fans", maxCount: 0),
      ])
    return ManagedObjectModel(
      entities: [person] + others.map { EntityDescription(name: Name($0), className: Name($0)) },
      versionIdentifiers: [""], source: .modelCache)
  }

  /// A store with two people, one of whom is a fan of the other.
  private func store(_ model: ManagedObjectModel) throws -> String {
    let path = folder.file("Old.sqlite")
    let builder = try SampleStoreBuilder(path: path, model: model, journal: .delete)
    for _ in 0..<2 { try builder.insert("Person") }
    try builder.link("Person", "idols", from: 1, to: [2])
    try builder.finish()
    return path
  }

  /// A folder of the sources of some versions: no store among them shows the names.
  private func bundle(_ versions: [ManagedObjectModel]) throws -> String {
    let path = folder.file("People.xcdatamodeld")
    for (number, model) in versions.enumerated() {
      let version = "\(path)/V\(number + 1).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try Data(try SourceModel(model).contents)
        .write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
    return path
  }

  private func tables(_ path: String) throws -> [String] {
    try PersistentStore(readingFrom: path).catalog.tables.map(\.name)
      .filter { $0.hasSuffix("FANS") || $0.hasSuffix("IDOLS") }
  }

  @Test func theNameStaysWhereTheEntityStays() throws {
    let (old, new) = (person(["name"]), person(["name"], others: ["Animal"]))
    let source = try store(old)
    let target = folder.file("New.sqlite")
    try StoreMigrator(options: MigrationOptions(version: "V2"))
      .migrate(source, to: bundle([old, new]), at: target)
    let name = try #require(try tables(source).first)
    #expect(try tables(target) == [name.replacing("Z_1", with: "Z_2")])
  }

  @Test func theNameIsOpenWhereTheEntityChanges() throws {
    let (old, new) = (person(["name"]), person(["name", "shoeSize"]))
    let source = try store(old)
    let models = try bundle([old, new])
    var options = MigrationOptions(version: "V2")
    let migrator = StoreMigrator(options: options)
    let target = folder.file("New.sqlite")
    let error = try #require(throws: CofferError.self) {
      try migrator.migrate(source, to: models, at: target)
    }
    #expect(error.problems.map(\.code) == [.undecidedNames])
    #expect(error.problems.map(\.place) == ["Person.fans"])
    #expect(try migrator.plan(source, to: models).problems == error.problems)
    let archive = folder.file("Old.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: source), to: archive)
    #expect(try migrator.plan(archive, to: models).problems == error.problems)
    // A store of the new model shows them.
    let example = folder.file("Example.sqlite")
    try SampleStoreBuilder(path: example, model: new, journal: .delete).finish()
    options.exampleStores = [example]
    try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(try tables(target) == tables(example))
    #expect(
      try GeneratorDatabase(path: target).rows("SELECT count(*) FROM \(tables(target)[0])")
        == [[1]])
  }

  @Test func oldNamesAreKeptOnRequestWithAWarning() throws {
    let (old, new) = (person(["name"]), person(["name", "shoeSize"]))
    let source = try store(old)
    let models = try bundle([old, new])
    var options = MigrationOptions(version: "V2")
    let target = folder.file("New.sqlite")
    let refusal = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options).migrate(source, to: models, at: target)
    }
    #expect(
      refusal.problems.first?.sentence.hasSuffix("; a store with the same Person shows it") == true)
    options.keepsNames = true
    let plan = try StoreMigrator(options: options).plan(source, to: models)
    #expect(plan.isPossible)
    let summary = try StoreMigrator(options: options).migrate(source, to: models, at: target)
    for notes in [plan.notes, summary.notes] {
      let kept = notes.filter { $0.code == .keptNames }
      #expect(kept.count == 1)
      #expect(kept.first?.code.isWarning == true)
      #expect(
        kept.first?.text.contains("In one sample of 274 migrations, Core Data kept 88 %") == true)
      #expect(kept.first?.text.contains("Person.fans") == true)
    }
    #expect(try tables(target) == tables(source))
    #expect(
      try GeneratorDatabase(path: target).rows("SELECT count(*) FROM \(tables(target)[0])")
        == [[1]])
    let archive = folder.file("Old.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: source), to: archive)
    #expect(try StoreMigrator(options: options).plan(archive, to: models).isPossible)
    // An example comes first.
    let example = folder.file("Example.sqlite")
    try SampleStoreBuilder(path: example, model: new, journal: .delete).finish()
    options.exampleStores = [example]
    options.overwriting = true
    let decided = try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(!decided.notes.contains { $0.code == .keptNames })
  }

  /// A to-one relationship has no table, so there is no name to keep once it is to-many.
  @Test func whatHadNoNameCannotKeepIt() throws {
    func person(_ count: Int) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Person", className: "Person",
            relationships: [
              RelationshipDescription(
                name: "fans", destinationName: "Person", inverseName: "idol", maxCount: 0),
              RelationshipDescription(
                name: "idol", destinationName: "Person", inverseName: "fans", maxCount: count),
            ])
        ], versionIdentifiers: [""], source: .modelCache)
    }
    let path = folder.file("Old.sqlite")
    let builder = try SampleStoreBuilder(path: path, model: person(1), journal: .delete)
    for _ in 0..<2 { try builder.insert("Person") }
    try builder.link("Person", "fans", from: 1, to: [2])
    try builder.finish()
    let models = try bundle([person(1), person(0)])
    for keepsNames in [false, true] {
      var options = MigrationOptions(version: "V2")
      options.keepsNames = keepsNames
      let plan = try StoreMigrator(options: options).plan(path, to: models)
      #expect(plan.problems.map(\.code) == [.undecidedNames])
      #expect(plan.problems.map(\.hasOldName) == [false])
      #expect(plan.problems.first?.sentence.hasSuffix("; the old store has no name for it") == true)
    }
    let other = try StoreMigrator(options: MigrationOptions(version: "V2"))
      .plan(store(self.person(["a"])), to: bundle([self.person(["a"]), self.person(["b"])]))
    #expect(other.problems.map(\.hasOldName) == [true])
  }

  @Test func anExampleOfAnotherModelDecidesNothing() throws {
    let (old, new) = (person(["name"]), person(["name", "shoeSize"]))
    let source = try store(old)
    let models = try bundle([old, new])
    let example = folder.file("Example.sqlite")
    try SampleStoreBuilder(path: example, model: person(["size"]), journal: .delete).finish()
    var options = MigrationOptions(version: "V2")
    options.exampleStores = [example]
    let target = folder.file("New.sqlite")
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options).migrate(source, to: models, at: target)
    }
    #expect(error.problems.map(\.code) == [.undecidedNames])
    #expect(error.problems.first?.sentence.contains("a store of another model (Person.") == true)
    #expect(MigrationVerdict(error.problems) == .needsExample)
    #expect(error.description.contains("cannot be migrated: from "))
    #expect(error.description.contains("without a store of the new model"))
    #expect(!error.description.contains("custom mapping"))
    let creator = StoreCreator(options: CreationOptions(modelVersion: "V2", example: example))
    let refusal = try #require(throws: CofferError.self) { try creator.create(models, at: target) }
    #expect(refusal.code == .refused)
    #expect(refusal.detail.contains("a store of another model (Person."))
    // An unrelated entity changes nothing for these.
    let other = folder.file("Other.sqlite")
    try SampleStoreBuilder(
      path: other, model: person(["name", "shoeSize"], others: ["Animal"]), journal: .delete
    ).finish()
    options.exampleStores = [other]
    try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(try tables(target) == tables(other).map { $0.replacing("Z_2", with: "Z_1") })
  }

  /// A folder with a store of another model, one of the new model, and files of other kinds.
  @Test func anyOfSeveralExamplesDecides() throws {
    let (old, new) = (person(["name"]), person(["name", "shoeSize"]))
    let source = try store(old)
    let models = try bundle([old, new])
    let examples = folder.file("Examples")
    try FileManager.default.createDirectory(atPath: examples, withIntermediateDirectories: false)
    var options = MigrationOptions(version: "V2")
    options.exampleStores = [examples]
    let target = folder.file("New.sqlite")
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options).migrate(source, to: models, at: target)
    }
    #expect(error.code == .notCoreData)
    try SampleStoreBuilder(path: examples + "/A.sqlite", model: person(["size"]), journal: .delete)
      .finish()
    try SampleStoreBuilder(path: examples + "/B.sqlite", model: new, journal: .delete).finish()
    try Data("notes".utf8).write(to: URL(fileURLWithPath: examples + "/C.txt"))
    try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(try tables(target) == tables(examples + "/B.sqlite"))
    // In any order, given one by one.
    options.overwriting = true
    options.exampleStores = ["/B.sqlite", "/A.sqlite"].map { examples + $0 }
    try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(try tables(target) == tables(examples + "/B.sqlite"))
  }

  @Test func aStoreOnTheWayDecidesNothing() throws {
    let (old, between, new) = (person(["name"]), person([]), person(["name", "shoeSize"]))
    let source = try store(old)
    let models = try bundle([old, between, new, old])
    var options = MigrationOptions(version: "V3")
    options.intermediateVersions = ["V2"]
    let error = try #require(throws: CofferError.self) {
      try StoreMigrator(options: options)
        .migrate(source, to: models, at: folder.file("New.sqlite"))
    }
    #expect(error.problems.map(\.code) == [.undecidedNames])
    // The last version is as the first: its choice is known, whatever lies between.
    options.version = "V4"
    let target = folder.file("Back.sqlite")
    try StoreMigrator(options: options).migrate(source, to: models, at: target)
    #expect(try tables(target) == tables(source))
  }

  @Test func onlyMigrationsWithAChangedEntityNeedAnExample() throws {
    let models = try bundle([
      person(["a"]), person(["a", "b"]), person(["a", "b"], others: ["X"]),
    ])
    let matrix = try ModelMatrix(try #require(try ModelBundle(path: models)))
    let open = matrix.forward.filter { $0.verdict == .needsExample }
    #expect(open.map { "\($0.source) \($0.destination)" } == ["V1 V2", "V1 V3"])
    #expect(matrix.missing == [])
    #expect(matrix.verdict == .needsExample)
  }
}
