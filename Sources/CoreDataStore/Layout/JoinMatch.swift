internal import CoreDataModel

/// A table that fits a pair of relationships, with the columns that hold the two primary keys.
///
/// Each column is named after the relationship whose destinations it stores: the column of the
/// source's objects carries the name of the inverse (store-format, section 5.5).
struct JoinMatch {
  /// The pair; its first side names the table.
  var pair: JoinPair
  var table: SchemaTable
  /// The column with the objects of the first side's entity.
  var sourceColumn: String
  /// The column with the objects of the second side's entity.
  var destinationColumn: String

  /// The name of the table, to compare.
  var key: SchemaName { SchemaName(table.name) }

  private static let reflexive = "REFLEXIVE"

  /// Fits a table to a pair, whatever the table's name; nil when the columns do not fit or fit in
  /// several ways.
  init?(_ pair: JoinPair, _ table: SchemaTable, exactNumbers: Bool) {
    let columns = table.columns.filter { !$0.isGenerated }.map(\.name)
    let sources = Self.candidates(
      columns, number: pair.first.number, name: pair.second.upperName, exactNumbers)
    let destinations =
      pair.isReflexive
      ? columns.filter { SchemaName($0) == SchemaName(Self.reflexive) }.map { ($0, 0) }
      : Self.candidates(
        columns, number: pair.second.number, name: pair.first.upperName, exactNumbers)
    var best: (source: String, destination: String, score: Int)?
    var isUnique = false
    for source in sources {
      for destination in destinations where SchemaName(destination.name) != SchemaName(source.name)
      {
        let score = source.score + destination.score
        if let known = best, known.score >= score {
          if known.score == score { isUnique = false }
        } else {
          best = (source.name, destination.name, score)
          isUnique = true
        }
      }
    }
    guard let best, isUnique else { return nil }
    self.pair = pair
    self.table = table
    sourceColumn = best.source
    destinationColumn = best.destination
  }

  /// Fits a table to a pair with the side that the table is named after; nil when no side or both
  /// fit equally well.
  static func best(_ pair: JoinPair, _ table: SchemaTable, exactNumbers: Bool) -> JoinMatch? {
    guard let numbered = NumberedName(table.name, prefix: "Z_") else { return nil }
    let namings = pair.namings.filter {
      isNamesake(numbered.rest, of: $0.first.upperName)
        && (!exactNumbers || numbered.number == $0.first.number)
    }
    let exact = namings.filter {
      SchemaName(numbered.rest) == SchemaName($0.first.upperName)
        && numbered.number == $0.first.number
    }
    let preferred = exact.isEmpty ? namings : exact
    guard preferred.count == 1, let naming = preferred.first else { return nil }
    return JoinMatch(naming, table, exactNumbers: exactNumbers)
  }

  /// The columns of that relationship with how well they fit: the number counts above the name.
  private static func candidates(
    _ columns: [String], number: Int64?, name: String, _ exactNumbers: Bool
  ) -> [(name: String, score: Int)] {
    columns.compactMap { column in
      guard let numbered = NumberedName(column, prefix: "Z_"), isNamesake(numbered.rest, of: name),
        !exactNumbers || numbered.number == number
      else { return nil }
      let isExact = SchemaName(numbered.rest) == SchemaName(name)
      return (column, (numbered.number == number ? 2 : 0) + (isExact ? 1 : 0))
    }
  }

  /// The plan of the table, and the order columns that it lacks.
  func joinTable() -> (table: JoinTable, missing: [MissingPart]) {
    var missing: [MissingPart] = []
    func orderColumn(of side: JoinPair.Side, beside column: String) -> String? {
      guard side.isOrdered else { return nil }
      let isReflexive = SchemaName(column) == SchemaName(Self.reflexive)
      let name = "Z_FOK_" + (isReflexive ? column : column.droppingScalars(2))
      if let found = table.column(name), !found.isGenerated { return found.name }
      missing.append(
        MissingPart(
          kind: .orderColumn, entity: side.reference.entity, property: side.reference.property,
          expectedName: name))
      return nil
    }
    let order = orderColumn(of: pair.first, beside: destinationColumn)
    let inverseOrder = orderColumn(of: pair.second, beside: sourceColumn)
    let known = Set(
      [sourceColumn, destinationColumn, order, inverseOrder].compactMap(\.self).map {
        SchemaName($0)
      })
    let joinTable = JoinTable(
      tableName: table.name, source: pair.first.reference, sourceColumn: sourceColumn,
      destination: pair.second.reference, destinationColumn: destinationColumn,
      orderColumn: order, inverseOrderColumn: inverseOrder,
      unknownColumns: table.columns.map(\.name).filter { !known.contains(SchemaName($0)) })
    return (joinTable, missing)
  }
}
