internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// A store is written in steps, between which rows can be inserted.
@Suite struct StoreBuilderTests {
  @Test func rowsCanBeInsertedBetweenTheSteps() throws {
    var area = AttributeDescription(name: "area", type: .undefined, isTransient: true)
    area.userInfo = [AttributeDescription.spatialKey: .string("latitude, longitude")]
    let place = EntityDescription(
      name: "Place",
      attributes: [
        area, AttributeDescription(name: "latitude", type: .double),
        AttributeDescription(name: "longitude", type: .double), text("name"),
      ], uniquenessConstraints: [["name"]])
    let design = StoreDesign(
      model: ManagedObjectModel(entities: [place], source: .modelCache),
      era: FrameworkEra(version: 1348))
    #expect(design.virtualTables.count == 1 && design.triggers.count == 3)
    let folder = try TemporaryDirectory()
    let path = folder.file("A.sqlite")
    let founding = StoreBuilder(
      design,
      identity: StoreBuilder.Identity(
        uuid: "U", versionHashes: [:], digests: nil,
        metadata: [
          .init("mine", .string("kept")), .init("NSStoreType", .string("not mine to say")),
        ]))
    let construction = try StoreConstruction(at: path, settings: StoreSettings(), place: path)
    try founding.createTables(in: construction)
    try construction.use { database in
      try database.run(
        "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE, ZNAME) "
          + "VALUES (1, 1, 1, 1.5, 2.5, 'a'), (2, 1, 1, NULL, NULL, 'b')")
    }
    try founding.writeAdministration(in: construction)
    try founding.createIndexes(in: construction)
    try founding.createTriggers(in: construction)
    try construction.finish()
    let store = try PersistentStore(readingFrom: path)
    #expect(store.metadata.uuid == "U")
    #expect(store.metadata.storeType == "SQLite")
    #expect(store.metadata.applicationKeys == ["mine"])
    #expect(store.layout.missing == [])
    try store.use { database in
      let rows = try database.rows(
        "SELECT Z_PK, ZLATITUDE_MIN, ZLONGITUDE_MAX FROM Z_RT_Place_area ORDER BY 1")
      #expect(
        rows == [
          [.integer(1), .real(1.5), .real(2.5)], [.integer(2), .real(0), .real(0)],
        ])
    }
  }

  @Test func rowsThatAreNotUniqueAreNotAccepted() throws {
    let entity = EntityDescription(
      name: "A", attributes: [text("x")], uniquenessConstraints: [["x"]])
    let design = StoreDesign(
      model: ManagedObjectModel(entities: [entity], source: .modelCache),
      era: FrameworkEra(version: 1348))
    let folder = try TemporaryDirectory()
    let founding = StoreBuilder(
      design,
      identity: StoreBuilder.Identity(uuid: "U", versionHashes: [:], digests: nil))
    let construction = try StoreConstruction(
      at: folder.file("A.sqlite"), settings: StoreSettings(), place: "A")
    try founding.createTables(in: construction)
    try construction.use { database in
      try database.run("INSERT INTO ZA (ZX) VALUES ('same'), ('same')")
    }
    #expect(throws: CofferError.self) { try founding.createIndexes(in: construction) }
    construction.abandon()
  }

  @Test func otherStatementsAreNoVirtualTables() throws {
    let folder = try TemporaryDirectory()
    let construction = try StoreConstruction(
      at: folder.file("A.sqlite"), settings: StoreSettings(), place: "A")
    for text in ["CREATE TABLE x (a)", "DROP TABLE x"] {
      let statement = SchemaStatement(
        kind: .virtualTable, name: "x", tableName: "x", sql: text)
      #expect(throws: CofferError.self) { try construction.createVirtualTables([statement]) }
    }
    construction.abandon()
  }
}
