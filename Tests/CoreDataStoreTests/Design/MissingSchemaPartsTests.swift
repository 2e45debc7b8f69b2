internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// What a store lacks of the indexes and triggers that its model asks for.
@Suite struct MissingSchemaPartsTests {
  /// Persons with pets: an index, one with a condition, a constraint of one property and one of two,
  /// a count, a copy, and a place.
  private static let model: ManagedObjectModel = {
    var area = AttributeDescription(name: "area", type: .undefined, isTransient: true)
    area.userInfo = [AttributeDescription.spatialKey: .string("latitude, longitude")]
    let count = Derivation(
      expression: .function(
        operand: nil, name: "count:", arguments: [.keyPath(operand: nil, "pets")]))
    let copy = Derivation(expression: .keyPath(operand: nil, "owner.name"))
    let named = ModelPredicate.comparison(
      .keyPath(operand: nil, "name"), .init(rawValue: 5), .constant(nil))
    return ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            area, AttributeDescription(name: "latitude", type: .double),
            AttributeDescription(name: "longitude", type: .double), text("mail"), text("name"),
            text("town"),
            AttributeDescription(name: "petCount", type: .integer64, derivation: count),
          ], relationships: [toMany("pets", "Pet", inverse: "owner")],
          uniquenessConstraints: [["mail"], ["name", "town"]],
          fetchIndexes: [
            FetchIndexDescription(
              name: "byName",
              elements: [
                .init(propertyName: "name", isAscending: false), .init(propertyName: "town"),
              ]),
            FetchIndexDescription(
              name: "named", elements: [.init(propertyName: "name")], partialIndexPredicate: named),
          ]),
        EntityDescription(
          name: "Pet",
          attributes: [AttributeDescription(name: "ownerName", type: .string, derivation: copy)],
          relationships: [toOne("owner", "Person", inverse: "pets")]),
      ], source: .modelCache)
  }()

  private func missing(
    _ statements: [SchemaStatement], version: Int64 = 1448
  ) throws -> [String] {
    let tables = statements.filter { $0.kind == .table }
    let catalog = try withDatabase(tables.map(\.sql)) { try SchemaCatalog($0) }
    let design = StoreDesign(model: Self.model, era: FrameworkEra(version: version))
    let layout = StoreLayout(model: Self.model, registry: design.registry, catalog: catalog)
    return MissingSchemaParts(
      model: Self.model, numbers: layout.numbering.numbers, era: design.era,
      tables: Self.tables(of: layout), statements: statements
    ).parts.map { part in
      let place = [part.entity, part.attribute].compactMap(\.self).joined(separator: ".")
      return "\(part.kind) \(place) \(part.names.joined(separator: ","))"
    }
  }

  private static func tables(of layout: StoreLayout) -> [TableLayout] {
    layout.entityTables.map { table in
      TableLayout(
        folder: "", storedName: table.tableName, kind: .entity, entityName: table.rootEntityName,
        fields: table.columns)
    }
  }

  private func design(_ version: Int64) -> StoreDesign {
    StoreDesign(model: Self.model, era: FrameworkEra(version: version))
  }

  @Test(arguments: [640, 754, 836, 851, 852, 1448] as [Int64])
  func aStoreOfAnOlderFrameworkLacksNothing(version: Int64) throws {
    #expect(try missing(design(version).statements, version: version) == [])
    // An index that is spelled as in an older era is as good.
    guard version >= 836 else { return }
    #expect(try missing(design(version).statements) == [])
  }

  @Test func everyIndexAndTriggerThatIsGoneIsMissing() throws {
    let statements = design(1448).statements
    var found: [String] = []
    for statement in statements where statement.kind == .index || statement.kind == .trigger {
      let missing = try missing(statements.filter { $0 != statement })
      #expect(missing.count == 1, "\(statement.name): \(missing)")
      #expect(missing.first?.hasSuffix(" \(statement.name)") == true)
      found += missing.map { String($0.prefix { $0 != " " }) }
    }
    let counts = Dictionary(grouping: found) { $0 }.mapValues(\.count)
    #expect(
      counts == ["index": 3, "uniqueIndex": 2, "derivedTriggers": 9, "spatialTriggers": 3])
  }

  @Test func theNameAndTheSpellingOfAnIndexDoNotMatter() throws {
    var statements = design(1448).statements
    for index in statements.indices where statements[index].kind == .index {
      statements[index].name += "_OLD"
      statements[index].sql = statements[index].sql
        .replacing(" ON ZPERSON (", with: " ON \"ZPERSON\" (")
        .replacing(" COLLATE BINARY ASC", with: "").replacing(" COLLATE BINARY DESC", with: " desc")
    }
    #expect(try missing(statements) == [])
    // An index of some rows is not an index of all, and the order of two columns matters.
    func changed(_ name: String, _ text: String, _ other: String) throws -> [String] {
      try missing(
        design(1448).statements.map { statement in
          guard statement.name == name else { return statement }
          var statement = statement
          statement.sql = statement.sql.replacing(text, with: other)
          return statement
        })
    }
    #expect(
      try changed("Z_Person_byName", "ASC)", "ASC) WHERE ZTOWN > 'a'")
        == ["index Person Z_Person_byName"])
    #expect(try changed("Z_Person_byName", "DESC", "ASC") == ["index Person Z_Person_byName"])
    #expect(try changed("ZPET_ZOWNER_INDEX", "(ZOWNER)", "(ZOWNER DESC)") == [])
    #expect(
      try changed("Z_Person_UNIQUE_mail", "UNIQUE INDEX", "INDEX")
        == ["uniqueIndex Person Z_Person_UNIQUE_mail"])
  }

  @Test func realStoresLackNothing() throws {
    for store in RealStores.any {
      try withCopy(of: store) { database in
        let catalog = try SchemaCatalog(database)
        guard let model = try cachedModel(database, catalog) else { return }
        let registry = try EntityRegistry(database, catalog: catalog)
        let layout = StoreLayout(model: model, registry: registry, catalog: catalog)
        let parts = MissingSchemaParts(
          model: model, numbers: layout.numbering.numbers,
          era: try #require(try StoreMetadata(database, catalog: catalog).era),
          tables: Self.tables(of: layout), statements: catalog.statements
        ).parts
        #expect(parts == [], "\(store)")
      }
    }
  }
}
