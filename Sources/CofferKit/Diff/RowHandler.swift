/// Takes the rows of two tables that are not the same byte for byte.
protocol RowHandler {
  /// Takes the current row of the first side, which the second does not have.
  mutating func remove(_ first: LineCursor) throws
  /// Takes the current row of the second side, which the first does not have.
  mutating func add(_ second: LineCursor) throws
  /// Takes the current rows of both sides, which have the same key, or no keys at all.
  mutating func compare(_ first: LineCursor, _ second: LineCursor) throws
  /// Takes note that all rows were passed.
  mutating func finish() throws
}
