package import CoreDataLayout
internal import CoreDataModel

/// The meaning of every table and column of the store: `store/layout.json`.
package struct LayoutDocument: Sendable, Equatable {
  /// The entities with their numbers.
  package var entities: NumberedEntities
  /// The tables in the order of their entries in the archive.
  package var tables: [TableLayout]

  /// Creates a layout.
  package init(entities: NumberedEntities, tables: [TableLayout]) {
    self.entities = entities
    self.tables = tables
  }

  /// The number of columns of all tables together.
  package var columnCount: Int { tables.reduce(0) { $0 + $1.fields.count } }

  /// The layout as a JSON document.
  package func encoded() -> JSONValue {
    .object([
      "entities": .array(entities.entities.map(Self.encode)),
      "tables": .array(tables.map(Self.encode)),
    ])
  }

  /// Reads a layout; throws ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.layout)
    var entities: [NumberedEntities.Entity] = []
    for entity in try reader.required("entities").elements() {
      entities.append(
        .init(
          name: try entity.required("name").name(),
          number: try entity.required("number").integer(),
          superentityName: try entity.name("superentity")))
    }
    self.entities = NumberedEntities(entities)
    var tables: [TableLayout] = []
    for table in try reader.required("tables").elements() {
      tables.append(try Self.decodeTable(table))
    }
    self.tables = tables
  }

  private static func encode(_ entity: NumberedEntities.Entity) -> JSONValue {
    var members: JSONObject = [
      "name": .string(entity.name.text), "number": .integer(entity.number),
    ]
    members.append("superentity", entity.superentityName)
    return .object(members)
  }

  private static func encode(_ table: TableLayout) -> JSONValue {
    var members: JSONObject = [
      "folder": .string(table.folder), "table": .string(table.storedName),
      "kind": .string(table.kind.rawValue),
    ]
    members.append("entity", table.entityName)
    members.append("relationship", table.relationshipName)
    members.append("rowNumbers", table.hasRowNumbers ? .bool(true) : nil)
    members.append("columns", .array(table.fields.map(encode)))
    return .object(members)
  }

  private static func decodeTable(_ table: DocumentNode) throws(DocumentError) -> TableLayout {
    guard let kind = TableLayout.Kind(rawValue: try table.required("kind").string()) else {
      throw try table.required("kind").error("a known kind of table")
    }
    var fields: [FieldLayout] = []
    for column in try table.required("columns").elements() {
      fields.append(try decodeField(column))
    }
    return TableLayout(
      folder: try table.required("folder").string(),
      storedName: try table.required("table").string(), kind: kind,
      entityName: try table.name("entity"),
      relationshipName: try table.name("relationship"),
      hasRowNumbers: try table.flag("rowNumbers"), fields: fields)
  }
}

/// The columns of a layout, each with its role and what belongs to it.
extension LayoutDocument {
  /// The roles without a property, by name.
  private static let plainRoles: [(name: String, role: FieldRole)] = [
    ("primary-key", .primaryKey), ("entity-number", .entityNumber), ("version", .version),
    ("source", .source), ("destination", .destination), ("destination-order", .destinationOrder),
    ("source-order", .sourceOrder),
  ]

  /// The roles of columns that belong to a relationship, by name.
  private static let relationshipRoles:
    [(name: String, role: @Sendable (Name, _ entity: Name) -> FieldRole)] =
      [
        ("to-one", { .toOne(name: $0, entity: $1) }),
        ("to-one-entity", { .toOneEntity(name: $0, entity: $1) }),
        ("order", { .order(name: $0, entity: $1) }),
        ("owner", { .owner(entity: $1, relationship: $0) }),
        ("owner-order", { .ownerOrder(entity: $1, relationship: $0) }),
      ]

  static func encode(_ field: FieldLayout) -> JSONValue {
    var members: JSONObject = ["name": .string(field.storedName)]
    switch field.role {
    case .plain: break
    case .attribute(let path, let type, let isExternal, let entity):
      members.append("role", "attribute")
      members.append("entity", entity)
      members.append("path", .names(path))
      members.append("type", .string(type.name))
      members.append("external", isExternal ? .bool(true) : nil)
    case .toOne(let name, let entity), .toOneEntity(let name, let entity),
      .order(let name, let entity), .owner(let entity, let name), .ownerOrder(let entity, let name):
      members.append("role", relationshipRoles.first { $0.role(name, entity) == field.role }?.name)
      members.append("relationship", name)
      members.append("entity", entity)
    case let role: members.append("role", plainRoles.first { $0.role == role }?.name)
    }
    return .object(members)
  }

  static func decodeField(_ column: DocumentNode) throws(DocumentError) -> FieldLayout {
    FieldLayout(storedName: try column.required("name").string(), role: try decodeRole(column))
  }

  private static func decodeRole(_ column: DocumentNode) throws(DocumentError) -> FieldRole {
    guard let name = try column.string("role") else { return .plain }
    if name == "attribute" { return try decodeAttribute(column) }
    if let plain = plainRoles.first(where: { $0.name == name }) { return plain.role }
    guard let found = relationshipRoles.first(where: { $0.name == name }) else {
      throw try column.required("role").error("a known role")
    }
    return found.role(
      try column.required("relationship").name(), try column.required("entity").name())
  }

  private static func decodeAttribute(_ column: DocumentNode) throws(DocumentError) -> FieldRole {
    let path = try column.required("path").names()
    guard path.count <= ArchiveLimits.Name.lineDepth.largestValue else {
      throw try column.required("path").error("a path that is short enough for a line")
    }
    guard !path.isEmpty else { throw try column.required("path").error("a name") }
    guard let type = AttributeType(name: try column.required("type").name().text) else {
      throw try column.required("type").error("the name of an attribute type")
    }
    return .attribute(
      path: path, type: type, isExternal: try column.flag("external"),
      entity: try column.required("entity").name())
  }

  /// The reason why no store with the schema can have the tables; nil if one can.
  ///
  /// Names of tables and columns are compared as SQLite does, in either letter case.
  package func problem(with schema: SchemaDocument) -> String? {
    let created = Set(
      schema.statements.lazy.filter { $0.kind == "table" }.map { foldedName($0.name) })
    var folders: Set<Name> = []
    var names: Set<[UInt8]> = []
    var roots: Set<Name> = []
    for (position, table) in tables.enumerated() {
      let place = "tables[\(position)]"
      guard folders.insert(Name(table.folder)).inserted else {
        return "\(place): another table uses the same folder"
      }
      let name = foldedName(table.storedName)
      guard names.insert(name).inserted else { return "\(place): duplicate table" }
      guard created.contains(name) else {
        return "\(place): the schema does not create this table"
      }
      if table.kind == .entity, let entity = table.entityName,
        !roots.insert(entity).inserted
      {
        return "\(place): another table has the same entity"
      }
      guard (1...ArchiveLimits.columnCount).contains(table.fields.count) else {
        return "\(place): a table cannot have \(table.fields.count) columns"
      }
      var columns: Set<[UInt8]> = []
      for field in table.fields where !columns.insert(foldedName(field.storedName)).inserted {
        return "\(place): duplicate column"
      }
    }
    return nil
  }
}
