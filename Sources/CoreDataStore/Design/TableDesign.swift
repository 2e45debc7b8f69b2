internal import CoreDataLayout
internal import CoreDataModel

/// The table of an inheritance tree in a fresh store.
///
/// Source: store-format, sections 5.1 to 5.4.
struct TableDesign {
  /// A column.
  struct Column {
    /// The expected name and role of the column.
    let expected: ExpectedColumn
    /// Its class and type.
    let order: ColumnOrder
  }

  /// The name of the table.
  let name: String
  /// The root entity and all below it, in the order of their numbers.
  let entities: [EntityDescription]
  /// The columns, in the order of the table; the three that every table has are left out.
  let columns: [Column]
  /// The decision about the order of columns for relationships of other entities, if there is more
  /// than one and nothing decides it.
  let undecided: UndecidedChoice?

  /// SQLite's default maximum number of columns (sqlite.org, "Limits In SQLite").
  static let mostColumns = 2000

  /// The number of columns, including the three that every table has.
  var columnCount: Int { columns.count + 3 }

  /// Whether SQLite would not make the table.
  var isTooWide: Bool { columnCount > Self.mostColumns }

  /// The root entity.
  var root: EntityDescription { entities[0] }

  /// Designs a table.
  ///
  /// - Parameters:
  ///   - entities: the root entity and all below it, in the order of their numbers; not empty.
  ///   - expected: the columns that the model asks for.
  ///   - model: the model.
  ///   - numbering: the numbers of the entities.
  ///   - choices: decides what the model leaves undecided.
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
    let single = Set(constraints.filter { $0.columns.count == 1 }.flatMap(\.columns))
    var text = "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    for column in columns {
      text += ", \(column.expected.name)"
      if !column.order.sqlType.isEmpty { text += " \(column.order.sqlType)" }
      if single.contains(column.expected.name) { text += " UNIQUE" }
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
