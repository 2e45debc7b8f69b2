internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The table of an inheritance tree in a fresh store.
///
/// Source: store-format, sections 5.1 to 5.4.
package struct TableDesign {
  struct Column {
    let expected: ExpectedColumn
    /// Its class and type.
    let order: ColumnOrder
  }

  let name: String
  /// The root entity and all below it, in the order of their numbers.
  let entities: [EntityDescription]
  /// The columns, in the order of the table; the three that every table has are left out.
  let columns: [Column]
  /// The decision about the order of columns for relationships of other entities, if there is more
  /// than one and nothing decides it.
  let undecided: UndecidedChoice?

  /// SQLite's default maximum number of columns (sqlite.org, "Limits In SQLite").
  static let maxColumns = Int(ConnectionDefense.maxColumns)

  /// The number of columns, including the three that every table has.
  var columnCount: Int { columns.count + 3 }

  /// Whether SQLite would not make the table.
  var isTooWide: Bool { columnCount > Self.maxColumns }

  var root: EntityDescription { entities[0] }

  /// Designs a table.
  ///
  /// The entities of the table, the root first, are in the order of their numbers.
  init(
    _ entities: [EntityDescription], _ expected: [ExpectedColumn], model: ManagedObjectModel,
    numbering: EntityNumbering, choices: DesignChoices
  ) {
    self.entities = entities
    name = EntityTable.name(ofRoot: entities.first?.name ?? "")
    let columns = expected.map { Column(expected: $0, order: ColumnOrder($0.role)) }
    let late = DeferredColumns(
      columns.filter(\.order.isLate), expected: expected, model: model, numbering: numbering,
      choices: choices)
    let others = columns.filter { !$0.order.isLate }.enumerated().sorted {
      ($0.element.order.place, $0.offset) < ($1.element.order.place, $1.offset)
    }.map(\.element)
    let integers = others.prefix { $0.order.place == 1 }
    self.columns = integers + late.columns + others.dropFirst(integers.count)
    undecided = late.undecided.map { properties in
      UndecidedChoice(
        kind: .columnOrder, properties: properties,
        text: "the order of the columns in the table of \(entities.first?.name ?? "") for "
          + UndecidedChoice.list(properties))
    }
  }

  /// The statement that creates the table, including constraints in older eras.
  func statement(_ constraints: [UniqueConstraintDesign]) -> SchemaStatement {
    let single = constraints.filter { $0.columns.count == 1 }.flatMap(\.columns).names
    var text = "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    for column in columns {
      text += ", \(column.expected.name)"
      if !column.order.sqlType.isEmpty { text += " \(column.order.sqlType)" }
      if single.contains(Name(column.expected.name)) { text += " UNIQUE" }
    }
    // Without a blank before the last parenthesis, as Core Data writes it.
    let others = constraints.filter { $0.columns.count > 1 }
    for constraint in others {
      text += ", CONSTRAINT \(constraint.columns.joined(separator: "_")) "
      text += "UNIQUE (\(constraint.columns.joined(separator: ", ")))"
    }
    text += others.isEmpty ? " )" : ")"
    return SchemaStatement(kind: .table, name: name, tableName: name, sql: text)
  }
}

/// The place and SQL type of a column in the table of a fresh store.
///
/// Columns are sorted by the class of their type; within a class they keep the order in which names
/// are handed out. Source: store-format, sections 5.3 and 5.4.
struct ColumnOrder {
  /// The place of the class among the classes.
  let place: Int
  /// The declared type; empty for attributes without one.
  let sqlType: String

  private init(_ place: Int, _ sqlType: String) {
    self.place = place
    self.sqlType = sqlType
  }

  /// References, and numbers of entities.
  private static let integer = ColumnOrder(1, "INTEGER")
  /// Columns for relationships of other entities.
  private static let late = ColumnOrder(2, "INTEGER")
  private static let byType: [AttributeType: ColumnOrder] = [
    .integer16: integer, .integer32: integer, .integer64: integer, .boolean: integer,
    .double: ColumnOrder(3, "FLOAT"), .float: ColumnOrder(3, "FLOAT"),
    .date: ColumnOrder(3, "TIMESTAMP"), .decimal: ColumnOrder(4, "DECIMAL"),
    .string: ColumnOrder(5, "VARCHAR"), .uri: ColumnOrder(6, "VARCHAR"),
    .uuid: ColumnOrder(7, "BLOB"), .transformable: ColumnOrder(8, "BLOB"),
    .binary: ColumnOrder(9, "BLOB"),
  ]

  /// The order of a column of that role.
  init(_ role: FieldRole) {
    self =
      switch role {
      case .attribute(_, let type, _, _): Self.byType[type] ?? ColumnOrder(10, "")
      case .order, .owner, .ownerOrder: Self.late
      default: Self.integer
      }
  }

  /// Whether the column is one that a relationship of another entity needs.
  var isLate: Bool { place == Self.late.place }
}

/// Sorts the columns that relationships of other entities need in a table.
///
/// Core Data's own order is not known and does not matter (store-format, section 5.3); here the
/// order of the choices comes first, then the numbers of the relationships' entities and their
/// names.
struct DeferredColumns {
  /// The columns in order.
  private(set) var columns: [TableDesign.Column] = []
  /// The properties whose order is undecided; nil if there are fewer than two.
  let undecided: [PropertyReference]?

  /// The columns of one relationship: the owner and the order, or only the order.
  private struct Group {
    let property: PropertyReference
    let place: Int
    let number: Int64
    let relationship: Name
    var columns: [TableDesign.Column]
  }

  init(
    _ late: [TableDesign.Column], expected: [ExpectedColumn], model: ManagedObjectModel,
    numbering: EntityNumbering, choices: DesignChoices
  ) {
    var groups: [Group] = []
    for column in late {
      switch column.expected.role {
      case .ownerOrder: groups[groups.count - 1].columns.append(column)
      case .owner(let entity, let relationship):
        let property = PropertyReference(entity: entity, property: relationship)
        groups.append(
          Group(
            property: property, place: choices.columnOrder[property] ?? .max,
            number: numbering.number(of: entity) ?? .max, relationship: relationship,
            columns: [column]))
      case .order(let relationship, let entity):
        let property = PropertyReference(entity: entity, property: relationship)
        let toOne = model.relationship(relationship, of: entity)?.relationship
        groups.append(
          Group(
            property: property, place: choices.columnOrder[property] ?? .max,
            number: toOne.flatMap { numbering.number(of: $0.destinationName) } ?? .max,
            relationship: toOne?.inverseName ?? "", columns: [column]))
      default: break
      }
    }
    groups.sort {
      if ($0.place, $0.number) != ($1.place, $1.number) {
        return ($0.place, $0.number) < ($1.place, $1.number)
      }
      return $0.relationship < $1.relationship
    }
    columns = groups.flatMap(\.columns)
    let open = groups.filter { $0.place == .max }
    undecided = groups.count > 1 && !open.isEmpty ? open.map(\.property) : nil
  }
}

/// A uniqueness constraint of an entity, in the statement of its table or as an index.
///
/// Source: store-format, section 5.7.
struct UniqueConstraintDesign {
  let entity: Name
  /// The properties in order.
  let properties: [String]
  /// Their columns in the same order.
  let columns: [String]

  /// The constraints that entities declare, except for constraints that they inherit unchanged and
  /// constraints of properties without a column.
  static func list(
    _ entities: [EntityDescription], _ model: ManagedObjectModel, _ columns: DesignColumns
  ) -> [UniqueConstraintDesign] {
    entities.flatMap { entity -> [UniqueConstraintDesign] in
      let above = entity.superentityName.flatMap { model[$0]?.uniquenessConstraints } ?? []
      let inherited = Set(above)
      return entity.uniquenessConstraints.filter { !inherited.contains($0) }
        .compactMap { properties in
          let found = properties.compactMap { columns.column(of: entity.name, path: $0) }
          guard found.count == properties.count, !found.isEmpty else { return nil }
          return UniqueConstraintDesign(
            entity: entity.name, properties: properties.map(\.text), columns: found)
        }
    }
  }

  func index(on table: String) -> SchemaStatement {
    let name = "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
    let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
    return SchemaStatement(
      kind: .index, name: name, tableName: table,
      sql: "CREATE UNIQUE INDEX \(name) ON \(table) (\(list))")
  }
}
