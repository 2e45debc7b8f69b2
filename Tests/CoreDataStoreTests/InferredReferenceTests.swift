internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The columns of a store without a model that are taken for relationships, and the others.
@Suite struct InferredReferenceTests {
  /// A store without a model: entities, numbered from 1 as they come, and columns of the first one's
  /// table.
  struct Sample: Sendable {
    /// The entities; `Sub: Base` for one below another.
    var entities: [String]
    var columns: String
    /// The columns with an index of the kind that a to-one relationship has.
    var indexed: [String] = []
    var statements: [String] = []
    /// The relationships that are inferred.
    var relationships: [String] = []

    fileprivate func infer() throws -> (model: ManagedObjectModel, layout: StoreLayout) {
      let pairs = entities.map { $0.split(separator: ": ").map(String.init) }
      let rows = pairs.enumerated().map { index, pair in
        let parent = pair.count > 1 ? pairs.firstIndex { $0[0] == pair[1] } : nil
        return EntityRegistry.Row(
          number: Int64(index + 1), name: Name(pair[0]),
          superentityNumber: Int64((parent ?? -1) + 1))
      }
      let roots = pairs.filter { $0.count == 1 }.map { "Z" + $0[0].uppercased() }
      let tables = roots.map { entityTable($0, $0 == roots.first ? columns : "") }
      let indexes = indexed.map { "CREATE INDEX \(roots[0])_\($0)_INDEX ON \(roots[0]) (\($0))" }
      let catalog = try withDatabase(tables + indexes + statements) { try SchemaCatalog($0) }
      let found = StoreLayout.inferred(registry: EntityRegistry(rows: rows), catalog: catalog)
      #expect(unaccounted(found.layout, catalog) == [])
      return found
    }
  }

  private func relationships(_ model: ManagedObjectModel) -> [String] {
    model.entities.flatMap { entity in
      entity.relationships.map { relationship in
        "\(entity.name).\(relationship.name) → \(relationship.destinationName)"
          + (relationship.isToMany ? " many" : "") + (relationship.isOrdered ? " ordered" : "")
      }
    }
  }

  static let certain = [
    // The number of an entity with subentities is next to the column.
    Sample(
      entities: ["Folder", "Smart: Folder"], columns: "ZROOTFOLDER INTEGER, Z1_ROOTFOLDER INTEGER",
      relationships: ["Folder.rootfolder → Folder"]),
    // The name is that of an entity.
    Sample(
      entities: ["Item", "Order"], columns: "ZORDER INTEGER", indexed: ["ZORDER"],
      relationships: ["Item.order → Order"]),
    // The name and that of the object's own entity make that of an entity.
    Sample(
      entities: ["Recipe", "Cook", "RecipeType"], columns: "ZTYPE INTEGER", indexed: ["ZTYPE"],
      relationships: ["Recipe.type → RecipeType"]),
    // So does the name with what most names of entities begin or end with.
    Sample(
      entities: ["ICNote", "ICAccount", "ICMedia"], columns: "ZACCOUNT INTEGER",
      indexed: ["ZACCOUNT"], relationships: ["ICNote.account → ICAccount"]),
    Sample(
      entities: ["EventEntry", "LaunchEntry", "SessionEntry"], columns: "ZSESSION INTEGER",
      indexed: ["ZSESSION"], relationships: ["EventEntry.session → SessionEntry"]),
    // The order of the columns tells that it is a relationship, and one entity's name ends so.
    Sample(
      entities: ["Performer", "Other", "PublicEvent"], columns: "ZVISITS INTEGER, ZEVENT INTEGER",
      indexed: ["ZEVENT"], relationships: ["Performer.event → PublicEvent"]),
    // There is only one entity to lead to, and an order of its own.
    Sample(
      entities: ["Bookmark"], columns: "ZPARENT INTEGER, Z_FOK_PARENT INTEGER",
      indexed: ["ZPARENT"], relationships: ["Bookmark.parent → Bookmark"]),
    // Two entities of a tree have a relationship of the same name.
    Sample(
      entities: ["ICThing", "ICNote: ICThing", "ICAccount"],
      columns: "ZACCOUNT INTEGER, ZACCOUNT1 INTEGER", indexed: ["ZACCOUNT", "ZACCOUNT1"],
      relationships: ["ICThing.account → ICAccount", "ICThing.account1 → ICAccount"]),
    // A to-many relationship without inverse, kept with its destinations.
    Sample(
      entities: ["Question", "Sheet"],
      columns: "Z2QUESTIONS INTEGER, Z_FOK_2QUESTIONS INTEGER, ZSORT INTEGER",
      indexed: ["Z2QUESTIONS"], relationships: ["Sheet.questions → Question many ordered"]),
  ]

  @Test(arguments: certain)
  func whatIsCertainIsARelationship(_ sample: Sample) throws {
    let (model, layout) = try sample.infer()
    #expect(relationships(model) == sample.relationships)
    let table = try #require(layout.entityTables.first)
    // No part of it is also an attribute.
    let attributes = sample.columns.contains("ZSORT") ? ["sort"] : []
    let other = sample.columns.contains("ZVISITS") ? ["visits"] : attributes
    #expect(model[table.rootEntityName]?.attributes.map(\.name.text) == other)
    #expect(unknownParts(layout) == [])
  }

  static let uncertain = [
    // Without an index.
    Sample(entities: ["Item", "Order"], columns: "ZORDER INTEGER"),
    // With an index of another column's.
    Sample(
      entities: ["Item", "Order"], columns: "ZORDER INTEGER, ZOTHER INTEGER",
      statements: ["CREATE INDEX ZITEM_ZORDER_INDEX ON ZITEM (ZOTHER)"]),
    // An attribute with an index, as the column behind it tells.
    Sample(
      entities: ["Item", "Status"], columns: "ZSTATUS INTEGER, ZWIDTH INTEGER",
      indexed: ["ZSTATUS"]),
    // An attribute with an index of two eras.
    Sample(
      entities: ["Item", "Status"], columns: "ZSTATUS INTEGER", indexed: ["ZSTATUS"],
      statements: ["CREATE INDEX Z_Item_status ON ZITEM (ZSTATUS COLLATE BINARY ASC)"]),
    // A text.
    Sample(entities: ["Item", "Order"], columns: "ZORDER VARCHAR", indexed: ["ZORDER"]),
    // Two names that end so.
    Sample(
      entities: ["Note", "BigFace", "OldFace"], columns: "ZSORT INTEGER, ZFACE INTEGER",
      indexed: ["ZFACE"]),
    // A name that ends so, with nothing else to tell that it is a relationship.
    Sample(
      entities: ["Performer", "Other", "PublicEvent"], columns: "ZEVENT INTEGER",
      indexed: ["ZEVENT"]),
    // An entity with subentities, without its number.
    Sample(
      entities: ["Note", "Folder", "Smart: Folder"], columns: "ZFOLDER INTEGER",
      indexed: ["ZFOLDER"]),
    // A name that only ends with that of an entity leads anywhere.
    Sample(
      entities: ["Album", "Asset"], columns: "ZHIGHLIGHTBEINGKEYASSET INTEGER",
      indexed: ["ZHIGHLIGHTBEINGKEYASSET"]),
    // The number of an entity without subentities, or of none.
    Sample(entities: ["Note", "Folder"], columns: "ZROOT INTEGER, Z2_ROOT INTEGER"),
    Sample(entities: ["Note", "Folder"], columns: "ZROOT INTEGER, Z9_ROOT INTEGER"),
    // A number of an owner without an index.
    Sample(entities: ["Question", "Sheet"], columns: "Z2QUESTIONS INTEGER"),
  ]

  @Test(arguments: uncertain)
  func whatIsNotCertainStaysAnAttribute(_ sample: Sample) throws {
    let (model, layout) = try sample.infer()
    #expect(relationships(model) == [])
    let table = try #require(layout.entityTables.first)
    #expect(
      model[table.rootEntityName]?.attributes.count == sample.columns.split(separator: ",").count)
  }

  @Test func entitiesThatDifferInBytesAloneAreTwo() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let rows = names.enumerated().map { index, name in
      EntityRegistry.Row(number: Int64(index + 1), name: Name(name), superentityNumber: 0)
    }
    let catalog = try withDatabase([]) { try SchemaCatalog($0) }
    let found = StoreLayout.inferred(registry: EntityRegistry(rows: rows), catalog: catalog)
    let expected: [[UInt8]] = [[0x65, 0xcc, 0x81], [0xc3, 0xa9]]
    #expect(found.model.entities.map { Array($0.name.utf8) } == expected)
  }

  @Test func ofTooManyEntitiesNamesAreNotCompared() throws {
    let many = (0..<2_000).map { "E\($0)" }
    let sample = Sample(entities: ["Item"] + many, columns: "ZE7 INTEGER", indexed: ["ZE7"])
    #expect(try relationships(sample.infer().model) == [])
    let fewer = Sample(
      entities: ["Item"] + many.dropLast(), columns: "ZE7 INTEGER", indexed: ["ZE7"])
    #expect(try relationships(fewer.infer().model) == ["Item.e7 → E7"])
  }
}
