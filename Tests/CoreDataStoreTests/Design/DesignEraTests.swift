internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The spelling of indexes, constraints and history in the versions of the framework.
@Suite struct DesignEraTests {
  private func design(
    _ entities: [EntityDescription], framework: Int64, source: ModelSource = .modelCache,
    choices: DesignChoices = DesignChoices()
  ) -> StoreDesign {
    StoreDesign(
      model: ManagedObjectModel(entities: entities, source: source),
      era: FrameworkEra(version: framework), choices: choices)
  }

  private static let indexed = EntityDescription(
    name: "Pet",
    attributes: [
      AttributeDescription(name: "name", type: .string, isIndexed: true), text("kind"),
    ],
    compoundIndexes: [["name", "kind"]],
    fetchIndexes: [
      FetchIndexDescription(
        name: "byKind",
        elements: [.init(propertyName: "kind", isAscending: false)],
        partialIndexPredicate: .comparison(
          .keyPath(operand: nil, "name"), .init(rawValue: 5), .constant(nil)))
    ])

  @Test func indexesChangedWithFetchIndexes() {
    #expect(
      design([Self.indexed], framework: 754).indexes.map(\.sql) == [
        "CREATE INDEX ZPET_ZNAME_INDEX ON ZPET (ZNAME)",
        "CREATE INDEX ZPET_ZNAME_ZKIND ON ZPET (ZNAME, ZKIND)",
      ])
    let byKind = "CREATE INDEX Z_Pet_byKind ON ZPET (ZKIND COLLATE BINARY DESC)"
    for framework in [836, 1348] as [Int64] {
      #expect(
        design([Self.indexed], framework: framework).indexes.map(\.sql) == [
          "\(byKind) WHERE ZNAME IS NOT NULL"
        ])
    }
    for framework in [973, 977] as [Int64] {
      #expect(
        design([Self.indexed], framework: framework).indexes.map(\.sql) == [
          "\(byKind) WHERE  ZNAME IS NOT NULL"
        ])
    }
  }

  @Test func aModelFileDoesNotNameAllFetchIndexes() {
    #expect(
      design([Self.indexed], framework: 1348, source: .file).indexes.map(\.name) == [
        "Z_Pet_name", "Z_Pet_name_kind", "Z_Pet_byKind",
      ])
  }

  private static let unique = EntityDescription(
    name: "Pet", attributes: [text("name"), text("owner"), text("tag")],
    uniquenessConstraints: [["tag"], ["name", "owner"]])

  @Test func uniquenessMovedFromTheTableToIndexes() {
    let head = "CREATE TABLE ZPET ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    #expect(
      design([Self.unique], framework: 851).statements.map(\.sql) == [
        "\(head), ZNAME VARCHAR, ZOWNER VARCHAR, ZTAG VARCHAR UNIQUE, "
          + "CONSTRAINT ZNAME_ZOWNER UNIQUE (ZNAME, ZOWNER))"
      ])
    #expect(
      design([Self.unique], framework: 865).statements.map(\.sql) == [
        "\(head), ZNAME VARCHAR, ZOWNER VARCHAR, ZTAG VARCHAR )",
        "CREATE UNIQUE INDEX Z_Pet_UNIQUE_tag ON ZPET (ZTAG COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Pet_UNIQUE_name_owner ON ZPET (ZNAME COLLATE BINARY ASC, "
          + "ZOWNER COLLATE BINARY ASC)",
      ])
  }

  @Test func inheritedConstraintsAndIndexesAreNotRepeated() {
    var (above, below) = (Self.unique, Self.unique)
    above.fetchIndexes = Self.indexed.fetchIndexes.map {
      FetchIndexDescription(name: $0.name, elements: [.init(propertyName: "tag")])
    }
    below.name = "Dog"
    below.superentityName = "Pet"
    below.attributes = []
    below.fetchIndexes = above.fetchIndexes
    #expect(
      design([above, below], framework: 1348).indexes.map(\.name) == [
        "ZPET_Z_ENT_INDEX", "Z_Pet_byKind", "Z_Pet_UNIQUE_tag", "Z_Pet_UNIQUE_name_owner",
      ])
  }

  @Test func theHistoryIsThereWhenItIsWanted() {
    var kept = AttributeDescription(name: "id", type: .uuid)
    kept.preservesValueInHistoryOnDeletion = true
    let entities = [
      EntityDescription(name: "A", attributes: [kept]),
      EntityDescription(
        name: "B", superentityName: "A",
        attributes: [
          AttributeDescription(
            name: "key", type: .string, preservesValueInHistoryOnDeletion: true)
        ]),
    ]
    var choices = DesignChoices()
    #expect(design(entities, framework: 1348).tables.count == 1)
    choices.includesHistory = true
    let history = design(entities, framework: 1348, choices: choices)
    #expect(history.tables.count == 4)
    #expect(history.tables[1].sql.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )"))
    #expect(history.indexes.count == 9)
    #expect(history.registry.systemRows == [])
    let old = design(entities, framework: 851, choices: choices)
    #expect(old.tables.count == 1)
    #expect(old.notes.count == 1)
  }

  @Test func conditionsAreWrittenAsCoreDataDoes() {
    func condition(_ predicate: ModelPredicate) -> String? {
      var entity = Self.unique
      entity.fetchIndexes = [
        FetchIndexDescription(
          name: "i", elements: [.init(propertyName: "tag")], partialIndexPredicate: predicate)
      ]
      let text = design([entity], framework: 1348).indexes.first { $0.name == "Z_Pet_i" }?.sql
      return text?.split(separator: " WHERE ").last.map(String.init)
    }
    let tag = ModelExpression.keyPath(operand: nil, "tag")
    func compare(_ number: Int, _ value: ModelValue?) -> ModelPredicate {
      .comparison(tag, .init(rawValue: number), .constant(value))
    }
    #expect(condition(compare(4, .bool(true))) == "ZTAG = 1")
    #expect(condition(compare(5, .integer(0))) == "ZTAG <> 0")
    #expect(condition(compare(2, .integer(1))) == "ZTAG > 1")
    #expect(condition(compare(4, nil)) == "ZTAG IS NULL")
    #expect(condition(compare(5, .null)) == "ZTAG IS NOT NULL")
    #expect(condition(compare(4, .string("it's"))) == "ZTAG = 'it''s'")
    #expect(
      condition(.and([compare(0, .integer(3)), .or([compare(1, .integer(4)), compare(4, nil)])]))
        == "(ZTAG < 3 AND (ZTAG <= 4 OR ZTAG IS NULL))")
    #expect(condition(.not(compare(3, .integer(2)))) == "NOT (ZTAG >= 2)")
    let unknown = ModelExpression.keyPath(operand: nil, "nothing")
    #expect(condition(.comparison(unknown, .init(rawValue: 4), .constant(.integer(1)))) == nil)
    #expect(condition(compare(99, .string("x"))) == nil)
  }

  @Test func whatHasNoKnownFormIsToldAndLeftOut() {
    var derived = AttributeDescription(name: "changed", type: .date)
    derived.derivation = Derivation(
      expression: .function(operand: nil, name: "now", arguments: []))
    var area = AttributeDescription(name: "area", type: .undefined, isTransient: true)
    area.userInfo = [AttributeDescription.spatialKey: .string("x, y, z")]
    var spatial = FetchIndexDescription(name: "where", elements: [.init(propertyName: "x")])
    spatial.elements[0].kind = 1
    let entity = EntityDescription(
      name: "A", attributes: [derived, area, text("x"), text("y"), text("z")],
      fetchIndexes: [
        spatial, FetchIndexDescription(name: "not a name", elements: [.init(propertyName: "x")]),
      ])
    let design = design([entity], framework: 1348)
    #expect(design.triggers == [] && design.virtualTables == [] && design.indexes == [])
    #expect(design.notes.count == 4)
    #expect(design.blocking == [])
  }
}
