/// A table of the store with the number of its rows.
public struct TableInspection: Sendable, Equatable {
  /// The name of the table.
  public var name: String
  /// How many rows it has.
  public var rowCount: Int
}
