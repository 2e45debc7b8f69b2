/// The table of a pair of to-many relationships in a fresh store.
///
/// Source: store-format, section 5.5.
struct JoinTableDesign {
  /// The pair; its first side names the table.
  let pair: JoinPair
  /// The column with the objects of the first side's entity.
  let sourceColumn: String
  /// The column with the objects of the second side's entity.
  let destinationColumn: String

  /// The column of the inverse direction of a relationship that is its own inverse.
  static let reflexive = "REFLEXIVE"

  /// The name of the table.
  var name: String { "Z_\(pair.first.number ?? 0)\(pair.first.upperName)" }

  /// The columns in order: those of the two keys, then those of the order in each direction.
  var columns: [String] {
    var columns = [sourceColumn, destinationColumn]
    if pair.second.isOrdered { columns.append(orderColumn(beside: sourceColumn)) }
    if pair.first.isOrdered { columns.append(orderColumn(beside: destinationColumn)) }
    return columns
  }

  private func orderColumn(beside column: String) -> String {
    "Z_FOK_" + (column == Self.reflexive ? column : column.droppingScalars(2))
  }

  /// The statement that creates the table.
  var statement: SchemaStatement {
    let list = columns.map { "\($0) INTEGER" }.joined(separator: ", ")
    return SchemaStatement(
      kind: .table, name: name, tableName: name,
      sql: "CREATE TABLE \(name) ( \(list), PRIMARY KEY (\(sourceColumn), \(destinationColumn)) )")
  }

  /// The index for the way back.
  var index: SchemaStatement {
    let index = "\(name)_\(destinationColumn)_INDEX"
    return SchemaStatement(
      kind: .index, name: index, tableName: name,
      sql: "CREATE INDEX \(index) ON \(name) (\(destinationColumn), \(sourceColumn))")
  }
}
