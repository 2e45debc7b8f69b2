/// A column that the model does not explain.
public struct ColumnInspection: Sendable, Equatable {
  /// The name of the table.
  public var tableName: String
  /// The name of the column.
  public var name: String
}
