internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What an app has added to its store in SQL, and the order of relationships, do not get lost without a word.
@Suite struct MigrationAdditionTests {
  private static func model(
    _ attributes: [String], isOrdered: Bool = true, others: [String] = []
  ) -> ManagedObjectModel {
    let person = EntityDescription(
      name: "Person", className: "Person",
      attributes: attributes.map { AttributeDescription(name: Name($0), type: .string) },
      relationships: [
        RelationshipDescription(
          name: "pets", destinationName: "Pet", inverseName: "owner", maxCount: 0,
          isOrdered: isOrdered)
      ])
    let pet = EntityDescription(
      name: "Pet", className: "Pet",
      relationships: [
        RelationshipDescription(
          name: "owner", destinationName: "Person", inverseName: "pets", maxCount: 1)
      ])
    return ManagedObjectModel(
      entities: [person, pet]
        + others.map { EntityDescription(name: Name($0), className: Name($0)) },
      versionIdentifiers: [""], source: .modelCache)
  }

  private static let additions = [
    "CREATE UNIQUE INDEX MAIL ON ZPERSON(ZEMAIL)",
    "CREATE INDEX ENT ON ZPERSON(Z_ENT, ZEMAIL)",
    "CREATE VIEW MAILS AS SELECT ZEMAIL FROM ZPERSON",
    "CREATE TRIGGER LOWER_MAIL AFTER INSERT ON ZPERSON BEGIN "
      + "UPDATE ZPERSON SET ZEMAIL = lower(ZEMAIL) WHERE Z_PK = NEW.Z_PK; END",
  ]

  /// Each names an entity by its number.
  private static let numbered = [
    "CREATE TRIGGER NUMBER_1 AFTER UPDATE ON ZPET WHEN NEW.Z_ENT = 2 BEGIN "
      + "UPDATE ZPERSON SET ZNAME = 'x' WHERE Z_PK = NEW.ZOWNER; END",
    "CREATE TRIGGER NUMBER_2 AFTER DELETE ON ZPERSON BEGIN "
      + "INSERT INTO ZPET VALUES (NULL, 2, 1, NULL, NULL); END",
    "CREATE VIEW NUMBER_3 AS SELECT Z_PK FROM ZPET WHERE Z_ENT = 2",
  ]

  private func trial(
    to new: ManagedObjectModel, additions: [String] = additions
  ) throws -> MigrationTrial {
    try MigrationTrial(from: Self.model(["email", "name"]), to: new) { builder in
      for number in 1...3 {
        try builder.insert("Person", ["email": .string("\(number)@example.com")])
        try builder.insert("Pet")
      }
      try builder.link("Person", "pets", from: 1, to: [2, 1])
      try builder.link("Person", "pets", from: 2, to: [3])
      for statement in additions { try builder.database.run(statement) }
    }
  }

  private func added(_ trial: MigrationTrial) throws -> [String] {
    try trial.rows(
      "SELECT name FROM sqlite_master WHERE name IN ('MAIL', 'ENT', 'MAILS', 'LOWER_MAIL')"
    )
    .sorted()
  }

  @Test func whatFitsIsCarried() throws {
    let trial = try trial(to: Self.model(["email", "name", "phone"]))
    #expect(try trial.migrate().notes.filter { $0.code == .additionDropped } == [])
    #expect(try added(trial) == ["ENT", "LOWER_MAIL", "MAIL", "MAILS"])
    #expect(throws: GeneratorError.self) {
      try GeneratorDatabase(path: trial.new)
        .run("INSERT INTO ZPERSON (Z_PK, ZEMAIL) VALUES (9, '1@example.com')")
    }
  }

  /// An index of the app on the table of a many-to-many relationship.
  @Test(arguments: [true, false])
  func anIndexOnARelationshipIsCarriedOrNamed(_ isKept: Bool) throws {
    func model(_ isRelated: Bool) -> ManagedObjectModel {
      let sides = [("Note", "tags", "Tag", "notes"), ("Tag", "notes", "Note", "tags")]
      return ManagedObjectModel(
        entities: sides.map { side in
          EntityDescription(
            name: Name(side.0), className: Name(side.0),
            attributes: [AttributeDescription(name: "title", type: .string)],
            relationships: isRelated
              ? [
                RelationshipDescription(
                  name: Name(side.1), destinationName: Name(side.2), inverseName: Name(side.3),
                  maxCount: 0)
              ] : [])
        }, versionIdentifiers: [""], source: .modelCache)
    }
    let trial = try MigrationTrial(from: model(true), to: model(isKept)) { builder in
      try builder.database.run("CREATE INDEX OWN ON Z_1TAGS (Z_2TAGS)")
    }
    let dropped = try trial.migrate().notes.filter { $0.code == .additionDropped }
    #expect(dropped.map { $0.text.contains("index OWN ") } == (isKept ? [] : [true]))
    #expect(
      try trial.rows("SELECT name FROM sqlite_master WHERE name = 'OWN'")
        == (isKept ? ["OWN"] : []))
  }

  @Test func whatDoesNotFitIsNamed() throws {
    let trial = try trial(to: Self.model(["name"], others: ["Address"]))
    let planned = try trial.plan().notes.filter { $0.code == .additionDropped }
    #expect(planned.count == 4)
    #expect(
      planned.first?.text
        == "the app's own index MAIL is not carried over: the new store has another column ZEMAIL in "
        + "ZPERSON, or none")
    #expect(try trial.migrate().notes.filter { $0.code == .additionDropped } == planned)
    #expect(try added(trial) == [])
  }

  @Test func whatNamesEntitiesByNumberIsLeftWhereTheNumbersChange() throws {
    let trial = try trial(to: Self.model(["email", "name"], others: ["Address"]))
    let dropped = try trial.migrate().notes.filter { $0.code == .additionDropped }
    #expect(dropped.map { $0.text.contains("index ENT ") } == [true])
    #expect(try added(trial) == ["LOWER_MAIL", "MAIL", "MAILS"])
  }

  @Test func aBareNumberIsCarriedOnlyWhereItMeansTheSameEntity() throws {
    func names(_ others: [String]) throws -> (carried: [String], reasons: Set<String>) {
      let trial = try trial(
        to: Self.model(["email", "name"], others: others), additions: Self.numbered)
      let dropped = try trial.migrate().notes.filter { $0.code == .additionDropped }
      return (
        try trial.rows("SELECT name FROM sqlite_master WHERE name LIKE 'NUMBER%'").sorted(),
        Set(dropped.compactMap { $0.text.split(separator: ": ").last.map(String.init) })
      )
    }
    let kept = try names(["Zebra"])
    #expect(kept.carried == ["NUMBER_1", "NUMBER_2", "NUMBER_3"] && kept.reasons == [])
    let changed = try names(["Address"])
    #expect(changed.carried == [])
    #expect(
      changed.reasons == ["it names entities by number, and the number of Person changes"])
  }

  /// Each of the first four means other columns where ZPERSON gets one more.
  private static let positional = [
    "CREATE TRIGGER POSITION_1 AFTER UPDATE ON ZPET BEGIN "
      + "INSERT OR IGNORE INTO ZPERSON VALUES (9, 1, 1, 'a', 'b'); END",
    "CREATE VIEW POSITION_2 AS SELECT * FROM ZPERSON",
    "CREATE VIEW POSITION_3 AS SELECT ZOWNER, ZPERSON.* FROM ZPET, ZPERSON",
    "CREATE VIEW POSITION_4 AS SELECT ZEMAIL FROM POSITION_2",
    "CREATE TRIGGER NAMED_1 AFTER DELETE ON ZPERSON BEGIN "
      + "INSERT INTO ZPERSON (Z_PK, ZNAME) VALUES (9, 'a'); END",
    "CREATE VIEW NAMED_2 AS SELECT count(*), 2 * Z_PK FROM ZPERSON "
      + "WHERE EXISTS (SELECT * FROM ZPET WHERE ZOWNER = 1)",
    "CREATE VIEW NAMED_3 AS SELECT * FROM ZPET",
  ]

  @Test func whatNamesColumnsByPositionIsCarriedOnlyWhereTheyStay() throws {
    func dropped(_ attributes: [String]) throws -> [String] {
      let trial = try trial(to: Self.model(attributes), additions: Self.positional)
      return try trial.migrate().notes.filter { $0.code == .additionDropped }.map(\.text)
    }
    #expect(try dropped(["email", "name"]) == [])
    let changed = try dropped(["email", "name", "phone"])
    #expect(changed.count == 4, "\(changed)")
    let reasons = Set(changed.compactMap { $0.split(separator: ": ").last })
    #expect(
      reasons == [
        "it inserts rows into ZPERSON without naming its columns, and these are others in the new store",
        "it reads all columns of ZPERSON without naming them, and these are others in the new store",
        "the view POSITION_2 is not carried over",
      ])
    #expect(changed.allSatisfy { $0.contains(" POSITION_") })
  }

  @Test func anOrderThatIsGoneIsCounted() throws {
    let trial = try trial(to: Self.model(["email", "name"], isOrdered: false))
    let planned = try trial.plan().notes.filter { $0.code == .orderDropped }
    #expect(
      planned.map(\.text) == [
        "the order of 3 references of Person.pets, which is not ordered in the new model, is not carried over"
      ])
    #expect(planned.allSatisfy { $0.code.isWarning })
    #expect(try trial.migrate().notes.contains(planned[0]))
  }
}
