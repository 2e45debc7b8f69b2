internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The rules of fixtures that verification does not see, and their content.
@Suite struct FixtureRuleTests {
  /// A fixture of a model with one entity, and its database.
  private func fixture(
    _ attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
    unique: [[Name]] = [], objects: Int = 60
  ) throws -> (database: GeneratorDatabase, folder: TemporaryDirectory) {
    let folder = try TemporaryDirectory()
    let entity = EntityDescription(
      name: "Kilo", className: "Kilo", attributes: attributes, relationships: relationships,
      uniquenessConstraints: unique)
    let model = ManagedObjectModel(
      entities: [entity], versionIdentifiers: [""], source: .modelCache)
    try SampleStoreBuilder(path: folder.file("Model.sqlite"), model: model, journal: .delete)
      .finish()
    try FixtureMaker(options: FixtureOptions(objectCount: objects))
      .make(folder.file("Model.sqlite"), at: folder.file("Fixture.sqlite"))
    return (try GeneratorDatabase(path: folder.file("Fixture.sqlite")), folder)
  }

  private func texts(_ database: GeneratorDatabase, _ sql: String) throws -> [String] {
    try database.rows(sql).compactMap {
      if case .text(let bytes)? = $0.first { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  private func count(_ database: GeneratorDatabase, _ sql: String) throws -> Int64 {
    if case .integer(let count)? = try database.rows(sql).first?.first { count } else { -1 }
  }

  private func rule(_ text: String) throws -> ValidationPredicate {
    ValidationPredicate(predicate: try ModelPredicate(parsing: text))
  }

  @Test(arguments: [
    "[A-Z]{2}-\\d{3,5}(x|yz)?", "^[^@\\s]+@[a-z]+\\.(com|org)$", "\\w{1,8}", "a*b+c?.",
    "(ab|cd){2,3}[0-9a-f]{4}", "#[0-9A-Fa-f]{6}",
  ])
  func textsMatchTheirRegularExpression(_ pattern: String) throws {
    let constant = ModelExpression.constant(.string(pattern))
    let matches = ModelPredicate.comparison(
      .evaluatedObject, ModelPredicate.Operator(rawValue: 6), constant)
    for unique in [[], [["code"]]] as [[[Name]]] {
      let code = AttributeDescription(
        name: "code", type: .string, isOptional: false,
        validationPredicates: [ValidationPredicate(predicate: matches)])
      let (database, folder) = try fixture([code], unique: unique, objects: 30)
      defer { withExtendedLifetime(folder) {} }
      let expression = try NSRegularExpression(pattern: "^(?:\(pattern))$")
      let found = try texts(database, "SELECT ZCODE FROM ZKILO")
      #expect(found.count == 30)
      if !unique.isEmpty { #expect(Set(found).count == 30) }
      for text in found {
        let range = NSRange(text.startIndex..., in: text)
        #expect(expression.firstMatch(in: text, range: range) != nil, "\(text)")
      }
    }
  }

  /// Objects of two entities with one parent are connected like those of any two.
  @Test(arguments: [true, false])
  func entitiesWithOneParentAreConnected(_ isToManyFirst: Bool) throws {
    let folder = try TemporaryDirectory()
    let (list, item): (Name, Name) = isToManyFirst ? ("Alpha", "Bravo") : ("Bravo", "Alpha")
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: item, className: item, superentityName: "Base",
          relationships: [
            RelationshipDescription(name: "list", destinationName: list, inverseName: "items")
          ]),
        EntityDescription(name: "Base", className: "Base", isAbstract: true),
        EntityDescription(
          name: list, className: list, superentityName: "Base",
          relationships: [
            RelationshipDescription(
              name: "items", destinationName: item, inverseName: "list", maxCount: 0)
          ]),
      ], versionIdentifiers: [""], source: .modelCache)
    try SampleStoreBuilder(path: folder.file("Model.sqlite"), model: model, journal: .delete)
      .finish()
    let path = folder.file("Fixture.sqlite")
    try FixtureMaker(options: FixtureOptions(objectCount: 30))
      .make(folder.file("Model.sqlite"), at: path)
    #expect(
      try count(GeneratorDatabase(path: path), "SELECT count(ZLIST) FROM ZBASE") > 10)
  }

  @Test func valuesAtTheEdgeOccur() throws {
    let (database, folder) = try fixture([
      AttributeDescription(name: "number", type: .integer64),
      AttributeDescription(name: "text", type: .string),
      AttributeDescription(
        name: "short", type: .integer16, validationPredicates: [try rule("SELF <= 12")]),
      AttributeDescription(name: "data", type: .binary, allowsExternalBinaryDataStorage: true),
    ])
    let numbers = "SELECT count(*) FROM ZKILO WHERE ZNUMBER"
    #expect(try count(database, "\(numbers) = \(Int64.max)") > 0)
    #expect(try count(database, "\(numbers) = -9223372036854775808") > 0)
    #expect(try count(database, "\(numbers) IS NULL") > 0)
    #expect(try count(database, "SELECT max(ZSHORT) FROM ZKILO") == 12)
    #expect(try count(database, "SELECT count(*) FROM ZKILO WHERE ZTEXT = ''") > 0)
    #expect(try count(database, "SELECT count(*) FROM ZKILO WHERE length(ZTEXT) > 3000") > 0)
    #expect(try count(database, "SELECT count(*) FROM ZKILO WHERE ZTEXT LIKE '%🏳️‍🌈%'") > 0)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.file(".Fixture_SUPPORT/_EXTERNAL_DATA"))
    #expect(files.count == 1)
  }

  @Test func uniqueValuesThatRunOutLimitTheObjects() throws {
    let flag = AttributeDescription(name: "flag", type: .boolean, isOptional: false)
    let required = try fixture([flag], unique: [["flag"]])
    #expect(try count(required.database, "SELECT count(*) FROM ZKILO") == 2)
    var optional = flag
    optional.isOptional = true
    let missing = try fixture([optional], unique: [["flag"]])
    #expect(try count(missing.database, "SELECT count(*) FROM ZKILO") == 60)
    #expect(try count(missing.database, "SELECT count(ZFLAG) FROM ZKILO") == 2)
  }

  @Test func hierarchiesHaveNoCircles() throws {
    let relationships = [
      RelationshipDescription(name: "parent", destinationName: "Kilo", inverseName: "children"),
      RelationshipDescription(
        name: "children", destinationName: "Kilo", inverseName: "parent", maxCount: 0,
        isOrdered: true),
    ]
    let (database, folder) = try fixture([], relationships: relationships)
    defer { withExtendedLifetime(folder) {} }
    #expect(try count(database, "SELECT count(ZPARENT) FROM ZKILO") > 30)
    #expect(try count(database, "SELECT count(*) FROM ZKILO WHERE ZPARENT >= Z_PK") == 0)
    #expect(
      try count(
        database,
        "SELECT count(*) - count(DISTINCT ZPARENT || ' ' || Z_FOK_PARENT) FROM ZKILO "
          + "WHERE ZPARENT IS NOT NULL") == 0)
  }

  @Test func partnersThatNeedEachOtherAreAsMany() throws {
    let folder = try TemporaryDirectory()
    func entity(_ name: Name, _ relationships: [RelationshipDescription], above: Name? = nil)
      -> EntityDescription
    {
      EntityDescription(
        name: name, className: name, superentityName: above, relationships: relationships)
    }
    let model = ManagedObjectModel(
      entities: [
        entity(
          "Kilo",
          [
            RelationshipDescription(
              name: "lima", destinationName: "Lima", inverseName: "kilo", isOptional: false)
          ]),
        entity("Mike", [], above: "Kilo"),
        entity(
          "Lima",
          [
            RelationshipDescription(
              name: "kilo", destinationName: "Kilo", inverseName: "lima", isOptional: false)
          ]),
      ], versionIdentifiers: [""], source: .modelCache)
    try SampleStoreBuilder(path: folder.file("Model.sqlite"), model: model, journal: .delete)
      .finish()
    let summary = try FixtureMaker(options: FixtureOptions(objectCount: 10))
      .make(folder.file("Model.sqlite"), at: folder.file("Fixture.sqlite"))
    let counts = summary.content.tables.map { "\($0.entityName) \($0.count)" }
    #expect(counts == ["Kilo 5", "Lima 10", "Mike 5"])
  }

  @Test(arguments: RealStores.any.filter { FixtureTests.stores.contains($0) }.prefix(8))
  func aStoreLikeAnotherHasNoneOfItsValues(_ store: RealStore) throws {
    let trial = try AnonymizationTrial(store)
    let made = trial.folder.file("Alike.sqlite")
    let options = FixtureOptions(like: trial.source)
    let summary = try FixtureMaker(options: options).make(trial.source, at: made)
    #expect(try trial.originals(in: made) == [])
    let inspection = try StoreInspector().inspect(trial.source)
    for table in summary.content.tables {
      let original = inspection.entities.first { $0.name == table.entityName }?.objectCount ?? 0
      #expect(table.count <= original)
      #expect(table.count >= original / 2, "\(table.entityName): \(original)")
    }
  }

  @Test func aStoreLikeAnotherHasItsProportions() throws {
    let trial = try AnonymizationTrial(objects: 400)
    let made = trial.folder.file("Alike.sqlite")
    try FixtureMaker(options: FixtureOptions(like: trial.source)).make(trial.source, at: made)
    for sql in [
      "SELECT count(*) FROM ZITEMENTITY", "SELECT count(*) FROM ZTAGENTITY",
      "SELECT count(*) FROM Z_4TAGS", "SELECT sum(length(ZTITLE)) FROM ZITEMENTITY",
    ] {
      let (original, alike) = (
        try count(GeneratorDatabase(path: trial.source), sql),
        try count(GeneratorDatabase(path: made), sql)
      )
      #expect(abs(original - alike) <= max(3, original / 3), "\(sql): \(original), \(alike)")
    }
    #expect(try trial.originals(in: made) == [])
  }
}
