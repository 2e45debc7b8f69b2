internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Fetches and the other functions of the migration manager in mapping models.
@Suite struct MappingFetchTests {
  private static let byRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  private static func toMany(_ name: Name, _ to: Name, _ inverse: Name) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationName: to, inverseName: inverse, maxCount: 0)
  }

  /// Persons, some of them chiefs, with a boss who is a person too.
  private static let old: ManagedObjectModel = {
    var chief = EntityDescription("Chief", [("rank", .integer16)])
    chief.superentityName = "Person"
    return ManagedObjectModel(
      entities: [
        chief,
        EntityDescription(
          "Person", [("age", .integer16), ("name", .string)],
          [
            RelationshipDescription(name: "boss", destinationName: "Person", inverseName: "staff"),
            toMany("staff", "Person", "boss"),
          ]),
      ], versionIdentifiers: [""], source: .modelCache)
  }()

  /// Five persons: the first and the last are chiefs.
  private static func fill(_ builder: SampleStoreBuilder) throws {
    for (number, name) in ["Ada", "Ben", "Cid", "Dan", "Eve"].enumerated() {
      try builder.insert(
        number % 4 == 0 ? "Chief" : "Person",
        ["name": .string(name), "age": .integer(Int64(number * 10))])
    }
    try builder.link("Person", "staff", from: 1, to: [1, 2, 3])
    try builder.link("Person", "staff", from: 3, to: [4])
  }

  /// Migrates persons to things, with these attributes and relationships; `Other` is made of all persons.
  private func trial(
    attributes: [(String, AttributeType, ModelExpression)] = [],
    toOne: [(String, ModelExpression)] = [], toMany: [(String, ModelExpression)] = []
  ) throws -> (MigrationTrial, MigrationOptions) {
    let new = ManagedObjectModel(
      entities: [
        EntityDescription(
          "Other", [("name", .string)],
          (toOne + toMany).map { Self.toMany(Name("of_\($0.0)"), "Thing", Name($0.0)) }),
        EntityDescription(
          "Thing", attributes.map { (Name($0.0), $0.1) },
          toOne.map {
            RelationshipDescription(
              name: Name($0.0), destinationName: "Other", inverseName: Name("of_\($0.0)"))
          } + toMany.map { Self.toMany(Name($0.0), "Other", Name("of_\($0.0)")) }),
      ], versionIdentifiers: [""], source: .modelCache)
    let trial = try MigrationTrial(from: Self.old, to: new, Self.fill)
    let path = trial.folder.file("Map.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let file = MappingFile(
      source: Self.old, destination: new,
      entities: [
        .init(
          source: "Person", destination: "Thing", attributes: attributes.map { ($0.0, $0.2) },
          relationships: (toOne + toMany).map { ($0.0, $0.1) }),
        .init(source: "Person", destination: "Other", attributes: [("name", nil)]),
        .init(source: "Chief", destination: "Other", attributes: [("name", nil)]),
      ])
    try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
    var options = MigrationOptions()
    options.mapping = path
    return (trial, options)
  }

  /// The pairs of a many-to-many relationship: the key of a thing and the name of its destination.
  private func pairs(_ name: String, _ trial: MigrationTrial) throws -> [String] {
    let tables = try trial.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z_%\(name)'")
    let table = try #require(tables.first)
    let columns = try trial.rows("SELECT name FROM pragma_table_info('\(table)')")
    let thing = try #require(columns.first { $0.contains("OF_") })
    let other = try #require(columns.first { !$0.contains("OF_") })
    return try trial.rows(
      "SELECT p.\(thing), o.ZNAME FROM \(table) p JOIN ZOTHER o ON o.Z_PK = p.\(other) ORDER BY 1, 2"
    )
  }

  // MARK: Values

  @Test func fetchesAreCounted() throws {
    let (trial, options) = try trial(attributes: [
      ("all", .integer64, .fetch("Person", isCount: true)),
      ("chiefs", .double, .fetch("Chief", "TRUEPREDICATE", isCount: true)),
      ("old", .integer16, .fetch("Person", "age >= 20 AND boss.name == 'Ada'", isCount: true)),
      ("listed", .integer32, .keyPath(operand: .fetch("Person", "age < 20"), "@count")),
      (
        "share", .double,
        .function(
          operand: nil, name: "divide:by:",
          arguments: [
            .source("age"),
            .function(
              operand: nil, name: "multiply:by:",
              arguments: [.fetch("Person", isCount: true), .constant(.real(2))]),
          ])
      ),
      ("own", .integer16, .keyPath(operand: .sources("PersonToThing"), "@count")),
      ("others", .integer16, .keyPath(operand: .sources("PersonToOther"), "@count")),
      ("staff", .integer16, .source("staff.@count")),
    ])
    try trial.migrate(options)
    #expect(
      try trial.rows(
        "SELECT Z_PK, ZALL, ZCHIEFS, ZOLD, ZLISTED, ZSHARE, ZOWN, ZOTHERS, ZSTAFF FROM ZTHING "
          + "ORDER BY 1")
        == [
          "2|5|2.0|1|2|1.0|1|0|0", "3|5|2.0|1|2|2.0|1|0|1", "4|5|2.0|1|2|3.0|1|0|0",
        ])
  }

  @Test func namesOfTheMappingAreTexts() throws {
    func entity(_ side: String) -> ModelExpression {
      .keyPath(
        operand: .manager("\(side)EntityForEntityMapping:", .variable("entityMapping")), "name")
    }
    let (trial, options) = try trial(attributes: [
      ("a", .string, .keyPath(operand: .variable("entityMapping"), "name")),
      ("b", .string, .keyPath(operand: .variable("propertyMapping"), "name")),
      ("c", .string, entity("source")), ("d", .string, entity("destination")),
    ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT DISTINCT ZA, ZB, ZC, ZD FROM ZTHING") == [
        "PersonToThing|b|Person|Thing"
      ])
  }

  // MARK: Relationships

  @Test func fetchedObjectsAreDestinations() throws {
    let (trial, options) = try trial(
      toOne: [("first", .instances("ChiefToOther", .fetch("Person", "age == 0")))],
      toMany: [
        (
          "young",
          .manager(Self.byRelationship, .constant(.string("staff")), .fetch("Person", "age < 20"))
        ),
        ("bosses", .instances("PersonToOther", .keyPath(operand: .fetch("Person"), "boss"))),
      ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT t.Z_PK, o.ZNAME FROM ZTHING t JOIN ZOTHER o ON o.Z_PK = t.ZFIRST")
        == ["2|Ada", "3|Ada", "4|Ada"])
    #expect(
      try pairs("YOUNG", trial) == ["2|Ada", "2|Ben", "3|Ada", "3|Ben", "4|Ada", "4|Ben"])
    // Ada is a boss too, but a chief, and the mapping takes persons.
    #expect(try pairs("BOSSES", trial) == ["2|Cid", "3|Cid", "4|Cid"])
  }

  @Test func objectsAreFoundFromTheirDestinations() throws {
    let own = ModelExpression.sources("PersonToThing")
    let (trial, options) = try trial(
      toOne: [
        ("same", .instances("PersonToOther", own)),
        ("boss", .instances("ChiefToOther", .keyPath(operand: own, "boss"))),
        ("none", .instances("PersonToOther", .sources("PersonToOther"))),
      ],
      toMany: [
        (
          "staff",
          .manager(
            Self.byRelationship, .constant(.string("staff")),
            .function(
              operand: own, name: "valueForKeyPath:",
              arguments: [.constant(.string("@distinctUnionOfSets.staff"))]))
        )
      ])
    try trial.migrate(options)
    #expect(
      try trial.rows(
        "SELECT t.Z_PK, s.ZNAME, b.ZNAME, t.ZNONE FROM ZTHING t JOIN ZOTHER s ON s.Z_PK = t.ZSAME "
          + "LEFT JOIN ZOTHER b ON b.Z_PK = t.ZBOSS ORDER BY 1")
        == ["2|Ben|Ada|", "3|Cid|Ada|", "4|Dan||"])
    #expect(try pairs("STAFF", trial) == ["3|Dan"])
  }

  private static func list(_ paths: String...) -> ModelExpression {
    .aggregate(paths.map { $0.isEmpty ? .variable("source") : .source($0) })
  }

  /// The elements of a list count in their order, each object once; an element without an object is left out.
  @Test func listsAreDestinations() throws {
    let (trial, options) = try trial(
      toOne: [("same", .instances("PersonToOther", Self.list("", "boss.boss.boss")))],
      toMany: [
        ("all", .instances("PersonToOther", Self.list("boss.boss", "boss", "", "boss.boss"))),
        ("bosses", .instances("ChiefToOther", .keyPath(operand: Self.list("", "boss"), "boss"))),
        ("empty", .instances("PersonToOther", .aggregate([]))),
        ("named", .manager(Self.byRelationship, .constant(.string("boss")), Self.list("boss", ""))),
      ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT t.Z_PK, o.ZNAME FROM ZTHING t JOIN ZOTHER o ON o.Z_PK = t.ZSAME")
        == ["2|Ben", "3|Cid", "4|Dan"])
    #expect(try pairs("ALL", trial) == ["2|Ben", "3|Cid", "4|Cid", "4|Dan"])
    #expect(try pairs("BOSSES", trial) == ["2|Ada", "3|Ada", "4|Ada"])
    #expect(try pairs("EMPTY", trial) == [])
    #expect(
      try pairs("NAMED", trial) == ["2|Ada", "2|Ben", "3|Ada", "3|Cid", "4|Cid", "4|Dan"])
  }

  // MARK: Refusals

  private static let refused: [(ModelExpression, String)] = [
    (.fetch("Gone", isCount: true), "the old model has no entity Gone"),
    (.fetch("Person", "gone == 1", isCount: true), "the predicate gone == 1 of a fetch is wrong"),
    (.fetch("Person"), "a fetch returns objects"),
    (.keyPath(operand: .variable("destination"), "age"), "which values $destination has"),
    (.keyPath(operand: .variable("manager"), "userInfo.age"), "only the app knows userInfo.age"),
    (.sources("PersonToThing"), "source instances are a list"),
    (list("boss"), "a list is not a value"),
    (.keyPath(operand: list("boss"), "@count"), "a list is not a value"),
    (.keyPath(operand: .sources("PersonToThing"), "age"), "source instances are a list"),
    (.keyPath(operand: .sources("Nobody"), "@count"), "there is no entity mapping Nobody"),
    (
      .function(operand: .variable("entityPolicy"), name: "age:", arguments: [.source("age")]),
      "the function age: belongs to a class of the app"
    ),
    (
      .manager("destinationEntityForEntityMapping:", .variable("entityMapping")),
      "the function destinationEntityForEntityMapping: is not supported"
    ),
  ]

  @Test(arguments: refused)
  func whatOnlyTheAppKnowsIsRefused(_ expression: ModelExpression, _ reason: String) throws {
    let (trial, options) = try trial(attributes: [("a", .integer64, expression)])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map { "\($0.place) \($0.code.text)" } == ["Thing.a not-supported"])
    #expect(error?.problems.first?.sentence.contains(reason) == true, "\(error?.problems ?? [])")
  }

  @Test(
    arguments: [
      (.instances("PersonToOther", .fetch("Person", isCount: true)), "a fetch returns objects"),
      (
        .instances("PersonToOther", .keyPath(operand: .fetch("Person"), "gone")),
        "no relationship gone"
      ),
      (.instances("PersonToOther", .variable("destination")), "$destination"),
      (.instances("PersonToOther", list("boss", "staff")), "a to-many relationship (staff)"),
      (
        .instances("PersonToOther", .keyPath(operand: list("boss", ""), "staff")),
        "a to-many relationship (staff)"
      ),
      (.instances("PersonToOther", list("boss", "gone")), "no relationship gone"),
      (.instances("PersonToOther", .aggregate([.fetch("Person")])), "a list can contain only"),
      (.instances("PersonToOther", .aggregate([list("boss")])), "a list can contain only"),
      (
        manager(byRelationship, .constant(.string("boss")), .source("gone")), "no relationship gone"
      ),
      (
        manager(byRelationship, .constant(.string("gone")), .source("staff")),
        "no relationship gone"
      ),
    ] as [(ModelExpression, String)])
  func otherSourceInstancesAreRefused(_ expression: ModelExpression, _ reason: String) throws {
    let (trial, options) = try trial(toMany: [("a", expression)])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map { "\($0.place) \($0.code.text)" } == ["Thing.a not-supported"])
    #expect(error?.problems.first?.sentence.contains(reason) == true, "\(error?.problems ?? [])")
  }

  private static func manager(_ name: String, _ arguments: ModelExpression...) -> ModelExpression {
    .function(operand: .variable("manager"), name: name, arguments: arguments)
  }

  @Test func aToOneRelationshipTakesNoSeveralObjects() throws {
    let (trial, options) = try trial(
      toOne: [("one", .instances("PersonToOther", .fetch("Person")))])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map(\.code.text) == ["unmet-condition"])
    #expect(error?.problems.first?.sentence.contains("would lead to several objects") == true)
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  // MARK: Random expressions

  @Test(.enabled(if: MappingOracle.isAvailable, "needs the oracles"))
  func randomRelationshipsAreWhatTheOracleGives() throws {
    for seed in Effort.seed(1)..<Effort.seed(1) + Effort.tries(4 as UInt64) {
      var random = SeededGenerator(seed: seed)
      func fetch(isCount: Bool = false) -> ModelExpression {
        let (entity, comparison) = (
          ["Person", "Chief"][random.below(2)], ["<", "<=", ">", ">=", "=="][random.below(5)]
        )
        guard random.chance(0.7) else { return .fetch(entity, isCount: isCount) }
        return .fetch(entity, "age \(comparison) \(random.below(6) * 10)", isCount: isCount)
      }
      func instances() -> ModelExpression {
        let start = [
          .variable("source"), .sources("PersonToThing"), .sources("ChiefToOther"), fetch(),
          fetch(),
        ][random.below(5)]
        let steps = (0..<random.below(3)).map { _ in ["boss", "staff"][random.below(2)] }
        let path = steps.joined(separator: ".")
        let from = steps.isEmpty ? start : .keyPath(operand: start, path)
        return random.chance(0.3)
          ? Self.manager(Self.byRelationship, .constant(.string("staff")), from)
          : .instances(["PersonToOther", "ChiefToOther"][random.below(2)], from)
      }
      let (trial, options) = try trial(
        attributes: (0..<4).map { number in
          let count =
            random.chance(0.5) ? fetch(isCount: true) : .keyPath(operand: fetch(), "@count")
          return (
            "n\(number)", .integer64,
            .function(operand: nil, name: "add:to:", arguments: [count, .source("age")])
          )
        }, toMany: (0..<8).map { ("r\($0)", instances()) })
      try trial.migrate(options)
      let result = try MappingOracle.compare(
        trial.old, trial.new, mapping: #require(options.mapping))
      #expect(result.status == 0, "seed \(seed): \(result.output)\(result.errorOutput)")
      #expect(result.output.contains("compared 8 objects"), "\(result.output)")
    }
  }
}
