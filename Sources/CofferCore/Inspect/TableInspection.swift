/// A table of the store and the number of its rows.
public struct TableInspection: Sendable, Equatable {
  /// The name of the table.
  public var name: String
  /// The number of rows.
  public var rowCount: Int
}
