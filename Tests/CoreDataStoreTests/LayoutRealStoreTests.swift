internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// The layouts of real stores.
@Suite
struct LayoutRealStoreTests {
  /// The stores whose Z_PRIMARYKEY carries an older name of an entity, with that entity.
  private static let staleNames: [String: Name] = [
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite": "LuxuryCar"
  ]

  /// The tables of many-to-many relationships with the purposes of their columns.
  private func joinColumns(of layout: StoreLayout) -> Set<[String?]> {
    Set(
      layout.joinTables.map { table in
        [
          table.tableName, table.sourceColumn, table.destinationColumn, table.orderColumn,
          table.inverseOrderColumn,
        ]
      })
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func thereAreSeventyTwoStoresAndTenWithoutModel() throws {
    #expect(RealStores.all.count == RealStores.expectedCount)
    let withModel = try RealStores.all.filter { store in
      try withCopy(of: store) { database in
        try cachedModel(database, try SchemaCatalog(database)) != nil
      }
    }
    #expect(withModel.count == 62)
  }

  @Test(arguments: RealStores.any)
  func aModelExplainsEveryTableAndColumn(store: RealStore) throws {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      let registry = try EntityRegistry(database, catalog: catalog)
      guard let model = try cachedModel(database, catalog) else { return }
      let layout = StoreLayout(model: model, registry: registry, catalog: catalog)
      #expect(unaccounted(layout, catalog) == [])
      #expect(unknownParts(layout) == [])
      #expect(layout.missing == [])
      #expect(layout.numbering.unmatchedRows == [])
      #expect(layout.numbering.unmatchedEntityNames == [])
      let stale = layout.numbering.matches.filter { $0.value != .name }
      #expect(stale.keys.sorted() == [Self.staleNames[store.name]].compactMap(\.self))
      #expect(layout.numbering.numbers == EntityNumbering.computedNumbers(of: model))
    }
  }

  @Test(.enabled(if: Oracle.isAvailable), arguments: RealStores.any)
  func anIndependentGeneratorNamesTheSameColumns(store: RealStore) throws {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      guard let model = try cachedModel(database, catalog) else { return }
      let registry = try EntityRegistry(database, catalog: catalog)
      let layout = StoreLayout(model: model, registry: registry, catalog: catalog)
      let answer = try #require(try LayoutOracle.answers.get()[store.path])
      #expect(LayoutOracle.columns(of: layout).symmetricDifference(answer.columns) == [])
      #expect(LayoutOracle.joins(of: layout).symmetricDifference(answer.joins) == [])
    }
  }

  @Test(arguments: RealStores.any)
  func anInferredModelAccountsForEverything(store: RealStore) throws {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      let registry = try EntityRegistry(database, catalog: catalog)
      let (model, layout) = StoreLayout.inferred(registry: registry, catalog: catalog)
      #expect(model.source == .inferred)
      #expect(Set(model.entities.map(\.name)) == Set(registry.rows.map(\.name)))
      #expect(unaccounted(layout, catalog) == [])
      // The tables do not show the owner of an order column; all else is explained.
      #expect(unknownParts(layout).filter { !$0.contains(".Z_FOK_") } == [])
      #expect(layout.missing == [])
      guard let cached = try cachedModel(database, catalog) else { return }
      let modelled = StoreLayout(model: cached, registry: registry, catalog: catalog)
      #expect(joinColumns(of: layout) == joinColumns(of: modelled))
    }
  }

  @Test(arguments: RealStores.any)
  func metadataAgreesWithTheModel(store: RealStore) throws {
    try withCopy(of: store) { database in
      let catalog = try SchemaCatalog(database)
      let metadata = try StoreMetadata(database, catalog: catalog)
      #expect(metadata.version == 1)
      #expect(metadata.uuid?.utf8.count == 36)
      #expect(metadata.storeType == "SQLite")
      #expect(metadata.propertyListError == nil)
      #expect(metadata.modelVersionHashes.values.allSatisfy { $0.bytes.count == 32 })
      #expect(metadata.era.map { !$0.description.contains("before") } == true)
      guard let model = try cachedModel(database, catalog) else { return }
      #expect(metadata.modelVersionHashes.keys.sorted() == model.entities.map(\.name))
    }
  }
}
