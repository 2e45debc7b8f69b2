internal import CoreDataLayout
package import CoreDataModel

/// The treatment of relationships to objects that are left out.
extension ObjectClosure {
  /// The condition that both ends of a pair are chosen objects.
  static func contains(_ pairs: EditedPairs) -> String {
    pairs.ends.map { contains(quotedIdentifier($0.column), of: $0.table) }
      .joined(separator: " AND ")
  }

  /// The condition that a key belongs to an object of a table.
  ///
  /// The plus keeps SQLite from looking each of the table's keys up in an index of the column instead:
  /// <https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_>.
  private static func exists(_ key: String, in table: String) -> String {
    "+\(key) IN (SELECT Z_PK FROM \(table))"
  }

  private func column(_ column: Int, of table: Int) -> String {
    quotedIdentifier(schema.tables[table].columns[column].storedName)
  }

  /// Unsets the references of chosen objects, which are in the main database, to objects that are left
  /// out.
  ///
  /// A reference to an object that does not exist stays: it is a defect of the data.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func unset(_ reference: EditedReference) throws(CofferError) -> Int {
    let key = column(reference.column, of: reference.table)
    let columns = [reference.column, reference.entityColumn, reference.orderColumn]
      .compactMap(\.self).map { "\(column($0, of: reference.table)) = NULL" }
    let holder = quotedIdentifier(schema.tables[reference.table].tableName)
    let other = quotedIdentifier(schema.tables[reference.destinationTable].tableName)
    return try statements.run(
      "UPDATE main.\(holder) SET \(columns.joined(separator: ", ")) WHERE "
        + "\(Self.contains("Z_PK", of: reference.table)) AND "
        + "NOT (\(Self.contains(key, of: reference.destinationTable))) AND "
        + "\(Self.exists(key, in: "\(source).\(other)"))")
  }

  /// The number of objects that are left out, and that the to-many relationships of chosen objects lose.
  package func lostCount(_ reference: EditedReference) throws(CofferError) -> Int {
    guard reference.inverse != nil, reference.partner == nil else { return 0 }
    let holder = quotedIdentifier(schema.tables[reference.table].tableName)
    let key = column(reference.column, of: reference.table)
    return try statements.count(
      "SELECT count(*) FROM \(Self.chosen) AS c CROSS JOIN \(source).\(holder) AS h ON h.\(key) = c.k "
        + "WHERE c.t = \(reference.destinationTable) AND "
        + "NOT (\(Self.contains("h.Z_PK", of: reference.table)))")
  }

  /// The numbers of objects that are left out, and that the relationships at each end of pairs lose.
  ///
  /// - Returns: the relationships of chosen objects, with the numbers; one that is its own inverse twice.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func lostCounts(
    _ pairs: EditedPairs
  ) throws(CofferError) -> [(property: PropertyReference, count: Int)] {
    var lost: [(PropertyReference, Int)] = []
    for (number, end) in pairs.ends.enumerated() {
      let other = pairs.ends[1 - number]
      let key = "p.\(quotedIdentifier(other.column))"
      let table = quotedIdentifier(schema.tables[other.table].tableName)
      let count = try statements.count(
        "SELECT count(*) FROM \(Self.chosen) AS c CROSS JOIN "
          + "\(source).\(quotedIdentifier(pairs.name)) AS p "
          + "ON p.\(quotedIdentifier(end.column)) = c.k WHERE c.t = \(end.table) AND "
          + "NOT (\(Self.contains(key, of: other.table))) AND "
          + Self.exists(key, in: "\(source).\(table)"))
      lost.append((end.property, count))
    }
    return lost
  }

  /// Copies the pairs of chosen objects to the main database, also those with an object that does not
  /// exist: they are a defect of the data.
  ///
  /// - Parameters:
  ///   - pairs: the table.
  ///   - onlyKeys: whether to leave out values that are neither keys nor positions: of a damaged store, they
  ///     could be anything.
  /// - Returns: how many there are.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func copy(_ pairs: EditedPairs, onlyKeys: Bool) throws(CofferError) -> Int {
    let table = quotedIdentifier(pairs.name)
    let chosen = pairs.ends.map { Self.contains(quotedIdentifier($0.column), of: $0.table) }
    let second = "+\(quotedIdentifier(pairs.ends[1].column))"
    let both = "\(chosen[0]) AND \(Self.contains(second, of: pairs.ends[1].table))"
    let missing = pairs.ends.map(isMissing)
    let count = try statements.run(
      "INSERT INTO main.\(table) SELECT * FROM \(source).\(table) WHERE "
        + "\(both) OR \(chosen[0]) AND \(missing[1]) OR "
        + "\(chosen[1]) AND \(missing[0])")
    if onlyKeys {
      for end in pairs.ends {
        for column in [end.column, end.orderColumn].compactMap(\.self).map(quotedIdentifier) {
          try statements.run(
            "UPDATE main.\(table) SET \(column) = NULL WHERE typeof(\(column)) <> 'integer'")
        }
      }
    }
    return count
  }

  /// The number of to-one relationships with a destination, of the objects in the main database.
  package func destinationCount(_ reference: EditedReference) throws(CofferError) -> Int {
    guard reference.relationship != nil else { return 0 }
    let holder = quotedIdentifier(schema.tables[reference.table].tableName)
    return try statements.count(
      "SELECT count(\(column(reference.column, of: reference.table))) FROM main.\(holder)")
  }

  /// The condition that an end of a pair is no object of the store.
  private func isMissing(_ end: EditedPairEnd) -> String {
    let table = quotedIdentifier(schema.tables[end.table].tableName)
    let column = quotedIdentifier(end.column)
    return "(\(column) IS NULL OR \(column) NOT IN (SELECT Z_PK FROM \(source).\(table)))"
  }
}
