/// Takes the rows of two tables that are not the same; they are loaded.
protocol RowHandler {
  /// Takes the current row of the first side, which the second does not have.
  mutating func remove(_ first: some RowCursor) throws
  /// Takes the current row of the second side, which the first does not have.
  mutating func add(_ second: some RowCursor) throws
  /// Takes the current rows of both sides, which have the same key, or no keys at all.
  mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws
  /// Takes note that all rows were passed.
  mutating func finish() throws
}
