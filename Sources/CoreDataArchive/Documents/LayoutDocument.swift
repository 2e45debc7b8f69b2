/// The meaning of every table and column of the store: `store/layout.json`.
package struct LayoutDocument: Sendable, Equatable {
  /// The entities with their numbers.
  package var entities: ArchiveEntities
  /// The tables in the order of their entries in the archive.
  package var tables: [TableLayout]

  /// Creates a layout of entities and tables.
  package init(entities: ArchiveEntities, tables: [TableLayout]) {
    self.entities = entities
    self.tables = tables
  }

  /// The layout as a JSON document.
  package func encoded() -> JSONValue {
    .object([
      "entities": .array(entities.entities.map(Self.encode)),
      "tables": .array(tables.map(Self.encode)),
    ])
  }

  /// Reads a layout.
  ///
  /// - Throws: ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.layout)
    var entities: [ArchiveEntities.Entity] = []
    for entity in try reader.required("entities").elements() {
      entities.append(
        .init(
          name: try entity.required("name").string(),
          number: try entity.required("number").integer(),
          superentityName: try entity.string("superentity")))
    }
    self.entities = ArchiveEntities(entities)
    var tables: [TableLayout] = []
    for table in try reader.required("tables").elements() {
      tables.append(try Self.decodeTable(table))
    }
    self.tables = tables
  }

  private static func encode(_ entity: ArchiveEntities.Entity) -> JSONValue {
    var members: JSONObject = ["name": .string(entity.name), "number": .integer(entity.number)]
    members.append("superentity", entity.superentityName.map(JSONValue.string))
    return .object(members)
  }

  private static func encode(_ table: TableLayout) -> JSONValue {
    var members: JSONObject = [
      "folder": .string(table.folder), "table": .string(table.storedName),
      "kind": .string(table.kind.rawValue),
    ]
    members.append("entity", table.entityName.map(JSONValue.string))
    members.append("relationship", table.relationshipName.map(JSONValue.string))
    members.append("rowNumbers", table.hasRowNumbers ? .bool(true) : nil)
    members.append("columns", .array(table.fields.map(encode)))
    return .object(members)
  }

  private static func decodeTable(_ table: DocumentNode) throws(DocumentError) -> TableLayout {
    guard let kind = TableLayout.Kind(rawValue: try table.required("kind").string()) else {
      throw try table.required("kind").error("a kind of table that this version knows")
    }
    var fields: [FieldLayout] = []
    for column in try table.required("columns").elements() {
      fields.append(try decodeField(column))
    }
    return TableLayout(
      folder: try table.required("folder").string(),
      storedName: try table.required("table").string(), kind: kind,
      entityName: try table.string("entity"),
      relationshipName: try table.string("relationship"),
      hasRowNumbers: try table.flag("rowNumbers"), fields: fields)
  }
}
