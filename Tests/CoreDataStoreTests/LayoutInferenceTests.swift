internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The facts that a store shows without its model.
@Suite struct LayoutInferenceTests {
  private func infer(
    _ rows: [EntityRegistry.Row], _ tables: [String]
  ) throws -> (model: ManagedObjectModel, layout: StoreLayout) {
    let catalog = try withDatabase(tables) { try SchemaCatalog($0) }
    let found = StoreLayout.inferred(registry: EntityRegistry(rows: rows), catalog: catalog)
    #expect(unaccounted(found.layout, catalog) == [])
    return found
  }

  private func row(
    _ number: Int64, _ name: Name, below parent: Int64 = 0
  ) -> EntityRegistry.Row {
    EntityRegistry.Row(number: number, name: name, superentityNumber: parent)
  }

  @Test func attributesAreNamedAndTypedByTheirColumns() throws {
    let (model, layout) = try infer(
      [row(1, "Base"), row(2, "Sub", below: 1)],
      [
        entityTable(
          "ZBASE",
          "ZCOUNT INTEGER, Z2_TO INTEGER, ZRATE FLOAT, ZWHEN TIMESTAMP, ZSUM DECIMAL,"
            + " ZNAME VARCHAR(255), ZDATA BLOB, Z_FOK_PARENT INTEGER, OTHER TEXT, ZODD TEXT")
      ])
    #expect(model.source == .inferred)
    #expect(model.entities.map(\.name) == ["Base", "Sub"])
    #expect(model["Sub"]?.superentityName == "Base")
    #expect(model["Sub"]?.attributes == [])
    let types = model["Base"]?.attributes.map { "\($0.name) \($0.type.name)" }
    #expect(
      types == [
        "2_to Integer 64", "count Integer 64", "data Binary", "name String", "rate Double",
        "sum Decimal", "when Date",
      ])
    #expect(unknownParts(layout) == ["ZBASE.Z_FOK_PARENT", "ZBASE.OTHER", "ZBASE.ZODD"])
    #expect(layout.entityTables.first?.entityNames == ["Base", "Sub"])
    #expect(layout.numbering.number(of: "Sub") == 2)
  }

  @Test func theLayoutKeepsTheRealNames() throws {
    let (model, layout) = try infer(
      [row(1, "A")], [entityTable("za", "\"Zä\" VARCHAR, \"ZÄ\" VARCHAR, Z$pk INTEGER, Z INTEGER")])
    #expect(model["A"]?.attributes.map(\.name) == ["ä"])
    #expect(LayoutOracle.columns(of: layout) == ["attribute A ä Zä"])
    #expect(unknownParts(layout) == ["za.ZÄ", "za.Z$pk", "za.Z"])
  }

  @Test(arguments: [("Z_1TAGS", "Post", "tags"), ("Z_2POSTS", "Tag", "posts")])
  func aTableOfTwoKnownEntitiesIsARelationship(
    name: String, source: Name, property: Name
  ) throws {
    let (model, layout) = try infer(
      [row(1, "Post"), row(2, "Tag")],
      [
        entityTable("ZPOST"), entityTable("ZTAG"),
        "CREATE TABLE \(name) (Z_1POSTS INTEGER, Z_2TAGS INTEGER, Z_FOK_2TAGS INTEGER, X)",
      ])
    let table = try #require(layout.joinTables.first)
    #expect(table.source == PropertyReference(entity: source, property: property))
    #expect(table.unknownColumns == ["X"])
    let tags = try #require(model.relationship("tags", of: "Post")?.relationship)
    #expect(tags.destinationName == "Tag")
    #expect(tags.inverseName == "posts")
    #expect(tags.isToMany)
    #expect(tags.isOrdered)
    #expect(model.relationship("posts", of: "Tag")?.relationship.isOrdered == false)
    #expect((table.orderColumn ?? table.inverseOrderColumn) == "Z_FOK_2TAGS")
    // What was inferred is a model like any other: the rules find the same tables with it.
    let again = LayoutOracle.joins(of: layout)
    #expect(again.contains("\(name) Post tags Z_1POSTS"))
    #expect(again.contains("\(name) Tag posts Z_2TAGS"))
  }

  @Test func relationshipsWithinOneEntityAreReported() throws {
    let (model, layout) = try infer(
      [row(1, "A")],
      [
        entityTable("ZA"), "CREATE TABLE Z_1DOWN (Z_1UP INTEGER, Z_1DOWN INTEGER)",
        "CREATE TABLE Z_1NEAR (Z_1NEAR INTEGER, REFLEXIVE INTEGER)",
      ])
    #expect(model["A"]?.relationships.map(\.name) == ["down", "near", "up"])
    #expect(layout.joinTables.map(\.isReflexive) == [false, true])
    #expect(layout.joinTables.map(\.sourceColumn) == ["Z_1UP", "Z_1NEAR"])
  }

  @Test(arguments: [
    "CREATE TABLE Z_1TAGS (Z_1POSTS INTEGER, Z_7TAGS INTEGER)",
    "CREATE TABLE Z_1TAGS (Z_1POSTS INTEGER, Z_2OTHER INTEGER)",
    "CREATE TABLE Z_2TAGS (Z_1POSTS INTEGER, Z_2TAGS INTEGER)",
    "CREATE TABLE Z_1TAGS (Z_1POSTS INTEGER, Z_2TAGS INTEGER, Z_2MORE INTEGER)",
    "CREATE TABLE Z_1TITLE (Z_1POSTS INTEGER, Z_2TITLE INTEGER)",
    "CREATE TABLE Z_1REFLEXIVE (REFLEXIVE INTEGER, Z_2REFLEXIVE INTEGER)",
  ])
  func aTableOfAnotherFormStaysUnknown(statement: String) throws {
    let (model, layout) = try infer(
      [row(1, "Post"), row(2, "Tag")],
      [entityTable("ZPOST", "ZTITLE VARCHAR"), entityTable("ZTAG"), statement])
    #expect(layout.joinTables == [])
    #expect(model.entities.allSatisfy { $0.relationships == [] })
    #expect(unknownParts(layout).count == 1)
  }

  @Test func aDamagedRegistryDoesNoHarm() throws {
    let chain = (10..<400).map { row($0, "E\($0)", below: $0 - 1) }
    let (model, layout) = try infer(
      [
        row(1, "A", below: 2), row(2, "B", below: 1), row(3, "C", below: 3), row(4, "A"),
        row(5, ""), row(6, "D", below: 9999), row(-7, "N"), row(.max, "X", below: .min),
      ] + chain, [entityTable("ZA"), entityTable("ZC")])
    #expect(model["A"]?.superentityName == nil)
    #expect(model["B"]?.superentityName == nil)
    #expect(model["C"]?.superentityName == nil)
    #expect(model["D"]?.superentityName == nil)
    #expect(model.lineage(of: "E399").count <= 129)
    #expect(layout.entityTables.map(\.rootEntityName) == ["A", "C"])
    #expect(layout.numbering.unmatchedRows.map(\.number) == [4, 5])
    #expect(layout.missing.contains { $0.entity == "D" && $0.kind == .table })
  }
}
