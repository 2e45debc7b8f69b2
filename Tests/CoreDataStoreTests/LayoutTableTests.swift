internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The tables of entities, and the meaning of the other tables.
@Suite struct LayoutTableTests {
  private let note = EntityDescription(name: "Note", attributes: [text("title")])

  @Test(arguments: [
    "CREATE VIEW ZNOTE AS SELECT 1 AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, 'x' AS ZTITLE",
    "CREATE VIRTUAL TABLE ZNOTE USING rtree(Z_PK, Z_ENT, Z_OPT)",
    "CREATE TABLE ZNOTE (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR)",
    "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZTITLE VARCHAR)",
    "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY DESC, Z_ENT INTEGER, ZTITLE VARCHAR)",
    "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER) WITHOUT ROWID",
  ])
  func onlyATableOfRowsWithPrimaryKeysHoldsObjects(statement: String) throws {
    let store = try HandMadeStore([note], [statement])
    #expect(store.layout.entityTables == [])
    #expect(store.layout.entityTable(of: "Note") == nil)
    #expect(store.missing == ["table Note - ZNOTE"])
    #expect(store.unaccounted == [])
  }

  @Test func aTableMayCarryTheOlderNameOfTheRegistry() throws {
    let store = try HandMadeStore(
      [note], [entityTable("\"ZMEMO\"", "ZTITLE VARCHAR")],
      rows: [EntityRegistry.Row(number: 1, name: "Memo")])
    #expect(store.layout.entityTables.map(\.tableName) == ["ZMEMO"])
    #expect(store.layout.numbering.matches == ["Note": .computedNumber])
  }

  @Test func aTableMayCarryTheRenamingIdentifier() throws {
    let renamed = EntityDescription(name: "Note", renamingIdentifier: "Memo")
    let store = try HandMadeStore([renamed], [entityTable("ZMEMO")])
    #expect(store.layout.entityTables.map(\.tableName) == ["ZMEMO"])
  }

  @Test func theNewNameGoesBeforeTheOldOne() throws {
    let renamed = EntityDescription(name: "Note", renamingIdentifier: "Memo")
    let store = try HandMadeStore([renamed], [entityTable("ZMEMO"), entityTable("ZNOTE")])
    #expect(store.layout.entityTables.map(\.tableName) == ["ZNOTE"])
    #expect(store.unknown == ["ZMEMO"])
  }

  @Test func anOldNameThatTwoEntitiesClaimIsNobodys() throws {
    let store = try HandMadeStore(
      [
        EntityDescription(name: "A", renamingIdentifier: "Old"),
        EntityDescription(name: "B", renamingIdentifier: "Old"),
      ], [entityTable("ZOLD")])
    #expect(store.layout.entityTables == [])
    #expect(store.unknown == ["ZOLD"])
  }

  @Test func anEntityWithoutNumberHasItsTableAllTheSame() throws {
    let store = try HandMadeStore([note], [entityTable("ZNOTE", "ZTITLE VARCHAR")], rows: [])
    #expect(store.columns == ["attribute Note title ZTITLE"])
    #expect(store.layout.numbering.unmatchedEntityNames == ["Note"])
  }

  @Test func entitiesThatDifferInCaseAloneCannotShareATable() throws {
    let store = try HandMadeStore(
      [EntityDescription(name: "note"), EntityDescription(name: "NOTE")], [entityTable("ZNOTE")])
    #expect(store.layout.entityTables.map(\.rootEntityName) == ["NOTE"])
    #expect(store.missing == ["table note - ZNOTE"])
  }

  @Test func otherTablesAreNamed() throws {
    let store = try HandMadeStore(
      [],
      [
        "CREATE TABLE Z_METADATA (a)", "CREATE TABLE Z_PRIMARYKEY (a)",
        "CREATE TABLE Z_MODELCACHE (a)", "CREATE TABLE ACHANGE (a)",
        "CREATE TABLE ATRANSACTION (a)", "CREATE TABLE ATRANSACTIONSTRING (a)",
        "CREATE TABLE ANSCKEVENT (a)", "CREATE TABLE ASOMETHING2 (a)", "CREATE TABLE Accounts (a)",
        "CREATE TABLE Z_17001PARTS (a)", "CREATE TABLE Z_17PARTS (a)",
        "CREATE VIRTUAL TABLE box USING rtree(id, low, high)",
        "CREATE VIRTUAL TABLE words USING fts4(a)", "CREATE TABLE words_other (a)",
        "CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TABLE ghost (a)",
      ],
      rows: [EntityRegistry.Row(number: 16010, name: "host")])
    let kinds = Dictionary(
      uniqueKeysWithValues: store.layout.otherTables.filter { $0.form == .ordinary }
        .map { ($0.name, $0.kind) })
    let expected: [String: TableLayout.Kind] = [
      "Z_METADATA": .metadata, "Z_PRIMARYKEY": .primaryKeys, "Z_MODELCACHE": .modelCache,
      "ACHANGE": .history, "ATRANSACTION": .history, "ATRANSACTIONSTRING": .history,
      "ANSCKEVENT": .cloudKit, "ASOMETHING2": .system, "Accounts": .unknown,
      "Z_17001PARTS": .system, "Z_17PARTS": .unknown,
      "words_other": .unknown, "counted": .unknown, "sqlite_sequence": .system,
      "ghost": .unknown,
    ]
    #expect(kinds == expected)
    let forms = Dictionary(
      uniqueKeysWithValues: store.layout.otherTables.filter { $0.form != .ordinary }
        .map { ($0.name, $0.form) })
    let others: [String: SchemaTable.Kind] = [
      "box": .virtual(module: "rtree"), "box_node": .shadow(of: "box"),
      "box_parent": .shadow(of: "box"), "box_rowid": .shadow(of: "box"),
      "words": .virtual(module: "fts4"), "words_content": .shadow(of: "words"),
      "words_segments": .shadow(of: "words"), "words_segdir": .shadow(of: "words"),
      "words_docsize": .shadow(of: "words"), "words_stat": .shadow(of: "words"),
    ]
    #expect(forms == others)
  }
}
