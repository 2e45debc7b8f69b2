internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// The schemas of fresh stores against Core Data's own.
@Suite
struct DesignRealStoreTests {
  /// A real store's schema, and the one designed for its model.
  private struct Pair {
    let design: StoreDesign
    let statements: Set<String>
    let wasMigrated: Bool
  }

  private func pair(
    _ store: RealStore, isLike: Bool = true, _ body: (Pair) throws -> Void
  ) throws {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      guard let model = try cachedModel(database, catalog) else { return }
      let registry = try EntityRegistry(database, catalog: catalog)
      let era = try #require(try StoreMetadata(database, catalog: catalog).era)
      let layout = StoreLayout(model: model, registry: registry, catalog: catalog)
      let choices = isLike ? DesignChoices(like: layout, catalog: catalog) : DesignChoices()
      let administration: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
      let shadows = Set(
        catalog.tables.compactMap { table -> String? in
          if case .shadow = table.kind { table.name } else { nil }
        })
      let real = catalog.statements.filter {
        !administration.contains($0.name) && !shadows.contains($0.name)
          && !$0.name.hasPrefix("sqlite_")
      }
      try body(
        Pair(
          design: StoreDesign(
            model: model, numbers: layout.numbering.numbers, era: era, choices: choices),
          statements: Set(real.map(\.sql)),
          wasMigrated: real.contains { $0.kind == .table && Self.isMigrated($0.sql) }))
    }
  }

  /// Whether a table's text shows a renaming, or an added column.
  private static func isMigrated(_ text: String) -> Bool {
    text.hasPrefix("CREATE TABLE \"")
      || (!text.contains("CONSTRAINT") && text.firstMatch(of: /, Z\w+ [A-Z]+\)$/) != nil)
  }

  /// What apps add to their stores themselves, and the counters of one app's triggers; in generated stores, the
  /// triggers of derived attributes, whose model has a superentity: no real store shows how Core Data spells them.
  private static func isOfAnApp(_ text: String) -> Bool {
    (["INDEX RADAR_", "TRIGGER ZT_"] + (RealStores.isAvailable ? [] : ["TRIGGER Z_DA_"]))
      .contains { text.contains($0) }
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func thereAreSixtyStoresThatWereNeverMigrated() throws {
    var fresh = 0
    for store in RealStores.all {
      try pair(store) { if !$0.wasMigrated { fresh += 1 } }
    }
    #expect(fresh == 60)
  }

  @Test(arguments: RealStores.any)
  func theDesignIsTheSchemaOfTheStore(store: RealStore) throws {
    try pair(store) { pair in
      guard !pair.wasMigrated else { return }
      let designed = pair.design.statements.map(\.sql)
      #expect(Set(designed).count == designed.count)
      #expect(Set(designed).subtracting(pair.statements).sorted() == [])
      #expect(pair.statements.subtracting(designed).filter { !Self.isOfAnApp($0) }.sorted() == [])
      #expect(pair.design.undecided == [])
    }
  }

  @Test(arguments: RealStores.any)
  func triggersAndVirtualTablesAreThoseOfMigratedStoresToo(store: RealStore) throws {
    try pair(store) { pair in
      let designed = pair.design.virtualTables + pair.design.triggers
      #expect(Set(designed.map(\.sql)).subtracting(pair.statements).sorted() == [])
      let real = pair.statements.filter {
        $0.hasPrefix("CREATE TRIGGER ") || $0.hasPrefix("CREATE VIRTUAL ")
      }
      #expect(
        real.subtracting(designed.map(\.sql)).filter { !Self.isOfAnApp($0) }.sorted() == [])
    }
  }

  @Test(.enabled(if: Oracle.isAvailable), arguments: RealStores.any)
  func anIndependentGeneratorWritesTheSameStatements(store: RealStore) throws {
    try pair(store) { pair in
      let answer = try #require(try LayoutOracle.answers.get()[store.path]).statements
      let history: Set = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
      let designed = (pair.design.tables + pair.design.indexes)
        .filter { !history.contains($0.tableName) }.map(\.sql)
      #expect(Set(designed).symmetricDifference(answer).sorted() == [])
    }
  }

  @Test(arguments: RealStores.any)
  func withoutTheStoreOnlyWhatIsNamedDiffers(store: RealStore) throws {
    try pair(store, isLike: false) { pair in
      guard !pair.wasMigrated else { return }
      let designed = (pair.design.tables + pair.design.indexes).map(\.sql)
      let others = Set(designed).subtracting(pair.statements)
      #expect(others.isEmpty || !pair.design.undecided.isEmpty, "\(others)")
    }
  }

  @Test(arguments: RealStores.any)
  func everyDesignIsAllowedInAnArchive(store: RealStore) throws {
    try pair(store) { try SchemaPolicy.require($0.design.statements, place: store.name) }
  }
}
