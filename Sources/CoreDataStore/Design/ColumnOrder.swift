internal import CoreDataLayout
internal import CoreDataModel

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
