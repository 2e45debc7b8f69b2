internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The entities as a store numbers them.
@Suite struct RegistryTests {
  private static let table =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,"
    + " Z_MAX INTEGER)"

  private func registry(_ statements: [String]) throws -> EntityRegistry {
    try withDatabase(statements) { database in
      try EntityRegistry(database, catalog: try SchemaCatalog(database))
    }
  }

  @Test func rowsAreReadInOrderWithTheSystemsApart() throws {
    let registry = try registry([
      Self.table,
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5), (2, 'B', 1, 0), (1, 'A', 0, 7)",
    ])
    #expect(
      registry.rows == [
        EntityRegistry.Row(number: 1, name: "A", maximumPrimaryKey: .integer(7)),
        EntityRegistry.Row(number: 2, name: "B", superentityNumber: 1),
      ])
    #expect(registry.systemRows.map(\.name) == ["CHANGE"])
    #expect(registry.row(16001)?.maximumPrimaryKey == .integer(5))
    #expect(registry.row(3) == nil)
  }

  @Test func oddValuesAreKept() throws {
    let registry = try registry([
      Self.table, "INSERT INTO Z_PRIMARYKEY VALUES (1, NULL, 'x', 'many'), (2, x'FF', NULL, 1.5)",
    ])
    #expect(registry.rows.map(\.name) == ["", ""])
    #expect(registry.rows.map(\.superentityNumber) == [nil, nil])
    #expect(registry.rows.map(\.maximumPrimaryKey) == [.string("many"), .real(1.5)])
  }

  @Test func aStoreWithoutRegistryHasNoRows() throws {
    #expect(try registry([]) == EntityRegistry(rows: []))
  }

  @Test func aRegistryThatLacksAColumnIsRefused() throws {
    let error = #expect(throws: CofferError.self) {
      try registry(["CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR)"])
    }
    #expect(error?.code == .notCoreData)
    #expect(error?.detail == "Z_PRIMARYKEY has no column Z_SUPER")
  }

  @Test func entitiesMatchByNameThenRenamingIdentifierThenNumber() {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "A"), EntityDescription(name: "B", renamingIdentifier: "Old"),
        EntityDescription(name: "C"), EntityDescription(name: "D", renamingIdentifier: "A"),
        EntityDescription(name: "E"),
      ], source: .file)
    let numbering = EntityNumbering(
      model: model,
      registry: EntityRegistry(rows: [
        EntityRegistry.Row(number: 1, name: "Old"), EntityRegistry.Row(number: 2, name: "A"),
        EntityRegistry.Row(number: 3, name: "Gone"), EntityRegistry.Row(number: 4, name: "Other"),
        EntityRegistry.Row(number: 9, name: "More"),
        EntityRegistry.Row(number: 16001, name: "E"),
      ]))
    #expect(numbering.numbers == ["A": 2, "B": 1, "C": 3, "D": 4])
    #expect(numbering.name(of: 1) == "B")
    #expect(numbering.name(of: 16001) == nil)
    #expect(
      numbering.matches == [
        "A": .name, "B": .renamingIdentifier, "C": .computedNumber, "D": .computedNumber,
      ])
    #expect(numbering.unmatchedRows.map(\.name) == ["More"])
    #expect(numbering.unmatchedEntityNames == ["E"])
  }

  @Test func aRenamingIdentifierOfTwoEntitiesMatchesNone() {
    let model = ManagedObjectModel(
      entities: ["A", "B"].map { EntityDescription(name: $0, renamingIdentifier: "Old") },
      source: .file)
    let numbering = EntityNumbering(
      model: model, registry: EntityRegistry(rows: [EntityRegistry.Row(number: 7, name: "Old")]))
    #expect(numbering.numbers == [:])
    #expect(numbering.unmatchedRows.map(\.name) == ["Old"])
  }

  @Test func numbersGoDepthFirstWithoutRegardToCase() {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "sdk"), EntityDescription(name: "SContact"),
        EntityDescription(name: "b", superentityName: "SContact"),
        EntityDescription(name: "A", superentityName: "SContact"),
        EntityDescription(name: "Z", superentityName: "A"),
      ], source: .file)
    #expect(
      EntityNumbering.computedNumbers(of: model)
        == ["SContact": 1, "A": 2, "Z": 3, "b": 4, "sdk": 5])
  }

  @Test func treesFollowTheNumbersOfTheStore() throws {
    // The store numbers the sub-entities the other way round: so are their namesakes.
    let store = try HandMadeStore(
      [
        EntityDescription(name: "Base"),
        EntityDescription(name: "A", superentityName: "Base", attributes: [text("x")]),
        EntityDescription(name: "B", superentityName: "Base", attributes: [text("x")]),
      ], [entityTable("ZBASE", "ZX VARCHAR, ZX1 VARCHAR")],
      rows: [
        EntityRegistry.Row(number: 1, name: "Base"), EntityRegistry.Row(number: 2, name: "B"),
        EntityRegistry.Row(number: 3, name: "A"),
      ])
    #expect(store.columns == ["attribute B x ZX", "attribute A x ZX1"])
    #expect(store.layout.entityTables.first?.entityNames == ["Base", "B", "A"])
  }
}
