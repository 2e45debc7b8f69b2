internal import CoreDataLayout
package import CoreDataModel

/// The object that remains, of several objects with the same key.
package enum DuplicateChoice: Sendable {
  /// The first object, unchanged.
  case first
  /// The last object, unchanged.
  case last
  /// The first, with the last value of each property that has one.
  case merged
}

/// Objects with the same key.
extension ObjectLinking {
  /// Merges objects that have the same values in some columns.
  ///
  /// References to a removed object become references to the remaining one, after its existing ones.
  ///
  /// - Parameters:
  ///   - entity: the entity whose objects are compared, including its subentities.
  ///   - columns: the columns. An object without a value in one of them equals no other.
  ///   - choice: which of them remains; nil for a fault.
  ///   - merged: called if objects get values of others: with the index of their table, and the name of
  ///     the table with the keys of removed (`k`) and remaining (`s`) objects.
  /// - Returns: the fault, at the second object with the same values.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func settleDuplicates(
    of entity: Name, columns: [Int], _ choice: DuplicateChoice?,
    merged: (_ table: Int, _ pairs: String) throws(CofferError) -> Void = { _, _ in }
  ) throws(CofferError) -> LinkingFault? {
    guard let index = schema.table(of: entity), !columns.isEmpty else { return nil }
    let names = columns.map { column($0, of: index) }
    let conditions =
      ["Z_ENT IN (\(list(schema.numbers(below: entity))))"] + names.map { "\($0) IS NOT NULL" }
    let pairs = """
      SELECT k, s FROM (SELECT Z_PK AS k, first_value(Z_PK) OVER (
        PARTITION BY \(names.joined(separator: ", ")) ORDER BY Z_PK\(choice == .last ? " DESC" : "")
      ) AS s FROM main.\(table(index)) WHERE \(conditions.joined(separator: " AND "))) WHERE k <> s
      """
    guard let choice else {
      return try database.value("\(pairs) ORDER BY k LIMIT 1")?.integer.map {
        LinkingFault(kind: .ambiguousKey, object: StoredObject(table: index, key: $0))
      }
    }
    try database.run("CREATE TEMP TABLE coffer_same (k INTEGER PRIMARY KEY, s INTEGER NOT NULL)")
    try database.run("INSERT INTO temp.coffer_same \(pairs)")
    if try database.value("SELECT 1 FROM temp.coffer_same LIMIT 1") != nil {
      if choice == .merged {
        try mergeValues(of: index)
        try merged(index, "temp.coffer_same")
      }
      try redirect(to: index)
      try database.run(
        "DELETE FROM main.\(table(index)) WHERE Z_PK IN (SELECT k FROM temp.coffer_same)")
    }
    try database.run("DROP TABLE temp.coffer_same")
    return nil
  }

  private func mergeValues(of index: Int) throws(CofferError) {
    try database.run("CREATE INDEX temp.coffer_same_s ON coffer_same (s)")
    let table = table(index)
    for (position, field) in schema.tables[index].columns.enumerated() {
      switch field.role {
      case .primaryKey, .entityNumber, .version: continue
      default: break
      }
      let name = column(position, of: index)
      try database.run(
        """
        UPDATE main.\(table) AS t SET \(name) = coalesce((
          SELECT x.\(name) FROM temp.coffer_same AS g JOIN main.\(table) AS x ON x.Z_PK = g.k
          WHERE g.s = t.Z_PK AND x.\(name) IS NOT NULL ORDER BY x.Z_PK DESC LIMIT 1), \(name))
        WHERE Z_PK IN (SELECT s FROM temp.coffer_same)
        """)
    }
  }

  private func redirect(to index: Int) throws(CofferError) {
    func change(_ table: String, _ name: String, also more: String, _ conflict: String = "")
      throws(CofferError)
    {
      try database.run(
        "UPDATE \(conflict) main.\(table) SET \(name) = (SELECT s FROM temp.coffer_same "
          + "WHERE k = \(name))\(more) WHERE \(name) IN (SELECT k FROM temp.coffer_same)")
    }
    for reference in schema.references where reference.destinationTable == index {
      let order = reference.orderColumn.map { ", \(column($0, of: reference.table)) = NULL" }
      try change(
        table(reference.table), column(reference.column, of: reference.table), also: order ?? "")
    }
    for pairs in schema.pairs {
      for end in pairs.ends where end.table == index {
        let order = end.orderColumn.map { ", \(quotedIdentifier($0)) = NULL" }
        try change(
          quotedIdentifier(pairs.name), quotedIdentifier(end.column), also: order ?? "",
          "OR REPLACE")
      }
    }
  }
}
