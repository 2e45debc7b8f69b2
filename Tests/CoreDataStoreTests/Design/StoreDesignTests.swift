internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// What a designed schema looks like, rule by rule, for models made by hand.
@Suite struct StoreDesignTests {
  private func design(
    _ entities: [EntityDescription], framework: Int64 = 1348,
    source: ModelSource = .modelCache, choices: DesignChoices = DesignChoices()
  ) -> StoreDesign {
    StoreDesign(
      model: ManagedObjectModel(entities: entities, source: source),
      era: FrameworkEra(version: framework), choices: choices)
  }

  private func texts(_ design: StoreDesign) -> [String] { design.statements.map(\.sql) }

  private static let head = "( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  @Test func columnsAreSortedByTheClassOfTheirTypes() {
    let types: [AttributeType] = [
      .binary, .transformable, .uuid, .uri, .string, .decimal, .date, .float, .double, .boolean,
      .integer64, .integer32, .integer16,
    ]
    let entity = EntityDescription(
      name: "All",
      attributes: types.enumerated().map { AttributeDescription(name: "a\($0 + 10)", type: $1) })
    #expect(
      texts(design([entity])) == [
        "CREATE TABLE ZALL \(Self.head), ZA19 INTEGER, ZA20 INTEGER, ZA21 INTEGER, ZA22 INTEGER, "
          + "ZA16 TIMESTAMP, ZA17 FLOAT, ZA18 FLOAT, ZA15 DECIMAL, ZA14 VARCHAR, ZA13 VARCHAR, "
          + "ZA12 BLOB, ZA11 BLOB, ZA10 BLOB )"
      ])
  }

  @Test func equalNamesInATreeGetNumbers() {
    let tree = [
      EntityDescription(name: "A", attributes: [text("text"), text("Text")]),
      EntityDescription(name: "B", superentityName: "A", attributes: [text("TEXT")]),
    ]
    #expect(
      texts(design(tree)) == [
        "CREATE TABLE ZA \(Self.head), ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZTEXT2 VARCHAR )",
        "CREATE INDEX ZA_Z_ENT_INDEX ON ZA (Z_ENT)",
      ])
  }

  @Test func theElementsOfACompositeAttributeStandForIt() {
    let place = AttributeDescription(
      name: "place", type: .composite, elements: [text("street"), text("id")])
    let entity = EntityDescription(name: "E", attributes: [text("id"), place, text("zip")])
    #expect(
      design([entity]).tables.map(\.sql) == [
        "CREATE TABLE ZE \(Self.head), ZID VARCHAR, ZSTREET VARCHAR, ZID1 VARCHAR, ZZIP VARCHAR )"
      ])
  }

  @Test func aToManyWithoutInverseHasColumnsInTheOthersTable() {
    let entities = [
      EntityDescription(
        name: "Box",
        relationships: [toMany("items", "Item", isOrdered: true), toMany("parts", "Item")]),
      EntityDescription(name: "Item", attributes: [text("name")]),
    ]
    let design = design(entities)
    #expect(
      texts(design) == [
        "CREATE TABLE ZBOX \(Self.head) )",
        "CREATE TABLE ZITEM \(Self.head), Z1ITEMS INTEGER, Z_FOK_1ITEMS INTEGER, "
          + "Z1PARTS INTEGER, ZNAME VARCHAR )",
        "CREATE INDEX ZITEM_Z1ITEMS_INDEX ON ZITEM (Z1ITEMS)",
        "CREATE INDEX ZITEM_Z1PARTS_INDEX ON ZITEM (Z1PARTS)",
      ])
    #expect(design.undecided.map(\.kind) == [.columnOrder])
    #expect(design.undecided[0].text.hasSuffix("for Box.items, Box.parts"))
    #expect(design.blocking == [])
  }

  @Test func aToOneOfATreeHasAnEntityColumn() {
    let entities = [
      EntityDescription(name: "A"), EntityDescription(name: "B", superentityName: "A"),
      EntityDescription(name: "C", relationships: [toOne("a", "A"), toOne("b", "B")]),
    ]
    #expect(
      design(entities).tables.last?.sql
        == "CREATE TABLE ZC \(Self.head), ZA INTEGER, Z1_A INTEGER, ZB INTEGER )")
  }

  @Test func aPairHasATableInItsOrder() {
    let entities = [
      EntityDescription(
        name: "A", relationships: [toMany("bs", "B", inverse: "as", isOrdered: true)]),
      EntityDescription(
        name: "B", relationships: [toMany("as", "A", inverse: "bs", isOrdered: true)]),
    ]
    #expect(
      texts(design(entities)).filter { $0.contains("Z_1BS") } == [
        "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, "
          + "Z_FOK_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )",
        "CREATE INDEX Z_1BS_Z_2BS_INDEX ON Z_1BS (Z_2BS, Z_1AS)",
      ])
    #expect(design(entities, framework: 479).indexes == [])
  }

  @Test func aRelationshipThatIsItsOwnInverseIsReflexive() {
    let entity = EntityDescription(
      name: "A", relationships: [toMany("likes", "A", inverse: "likes", isOrdered: true)])
    #expect(
      design([entity]).tables.last?.sql
        == "CREATE TABLE Z_1LIKES ( Z_1LIKES INTEGER, REFLEXIVE INTEGER, Z_FOK_1LIKES INTEGER, "
        + "Z_FOK_REFLEXIVE INTEGER, PRIMARY KEY (Z_1LIKES, REFLEXIVE) )")
  }

  // MARK: What is left open

  private static let folders = EntityDescription(
    name: "A",
    relationships: [toMany("heads", "A", inverse: "tails"), toMany("tails", "A", inverse: "heads")])

  @Test func theNameOfAPairWithinAnEntityIsOpen() {
    let open = design([Self.folders])
    #expect(open.blocking.map(\.kind) == [.namingSide])
    #expect(open.blocking[0].text == "which of A.heads, A.tails names their table")
    for name in ["heads", "tails"] {
      var choices = DesignChoices()
      choices.namingSides = [PropertyReference(entity: "A", property: Name(name))]
      let decided = design([Self.folders], choices: choices)
      #expect(decided.undecided == [])
      #expect(decided.tables.map(\.name) == ["ZA", "Z_1\(name.uppercased())"])
    }
  }

  @Test func equalColumnsOfPairsAreOpen() throws {
    let entities = [
      EntityDescription(
        name: "A",
        relationships: [toMany("b", "B", inverse: "as"), toMany("c", "C", inverse: "as")]),
      EntityDescription(name: "B", relationships: [toMany("as", "A", inverse: "b")]),
      EntityDescription(name: "C", relationships: [toMany("as", "A", inverse: "c")]),
    ]
    let open = design(entities)
    #expect(open.blocking.map(\.kind) == [.columnSuffix])
    #expect(open.blocking[0].properties.map(\.property) == ["b", "c"])
    var choices = DesignChoices()
    for (property, suffix) in [("b", "1"), ("c", "")] {
      choices.columnSuffixes[PropertyReference(entity: "A", property: Name(property))] = suffix
    }
    let decided = design(entities, choices: choices)
    #expect(decided.undecided == [])
    let columns = decided.tables.dropFirst(3).map(\.sql)
    #expect(columns[0].hasPrefix("CREATE TABLE Z_1B ( Z_1AS1 INTEGER, Z_2B INTEGER,"))
    #expect(columns[1].hasPrefix("CREATE TABLE Z_1C ( Z_1AS INTEGER, Z_3C INTEGER,"))
    // The same, taken from a store that has it so.
    let store = try HandMadeStore(entities, decided.tables.map(\.sql))
    let like = DesignChoices(like: store.layout, catalog: store.catalog)
    #expect(texts(design(entities, choices: like)) == texts(decided))
  }

  @Test func namesThatNoStatementTakesAreRefused() {
    for name in ["a b", "a\"b", "a;b", "a(b", "a-b", "a'b", ""] {
      let property = EntityDescription(name: "E", attributes: [text(Name(name))])
      #expect(design([property]).blocking.map(\.kind) == [.unusableName], "\(name)")
      let entity = EntityDescription(name: Name(name.isEmpty ? "-" : name))
      #expect(design([entity]).blocking.map(\.kind) == [.unusableName], "\(name)")
    }
    let fine = EntityDescription(name: "Größe", attributes: [text("größe_1"), text("名前")])
    #expect(design([fine]).undecided == [])
  }

  @Test func tablesOfOneNameAreRefused() {
    #expect(
      design([EntityDescription(name: "Note"), EntityDescription(name: "NOTE")]).blocking
        .map(\.kind) == [.equalNames])
    #expect(
      design([EntityDescription(name: "_metadata")]).blocking.map(\.kind) == [.equalNames])
  }

  // MARK: Numbers

  @Test func numbersCanBeGiven() {
    let entities = [EntityDescription(name: "A"), EntityDescription(name: "B")]
    let model = ManagedObjectModel(entities: entities, source: .modelCache)
    let era = FrameworkEra(version: 1348)
    let given = StoreDesign(model: model, numbers: ["A": 7, "B": 3], era: era)
    #expect(given.registry.rows.map(\.name) == ["B", "A"])
    #expect(given.registry.rows.map(\.number) == [3, 7])
    let partly = StoreDesign(model: model, numbers: ["A": 7], era: era)
    #expect(partly.registry.rows.map(\.number) == [1, 2])
  }

  @Test func aTableWithMoreColumnsThanSQLiteTakesIsNotMade() {
    // Three columns are the same in every table.
    for (count, kinds) in [(1997, []), (1998, [UndecidedChoice.Kind.tooManyColumns])] {
      let attributes = (0..<count).map { text("a\($0)") }
      let wide = design([EntityDescription(name: "Wide", attributes: attributes)])
      #expect(wide.blocking.map(\.kind) == kinds)
    }
  }
}
