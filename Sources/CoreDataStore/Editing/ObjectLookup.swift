internal import CoreDataLayout
package import CoreDataModel

/// Looks up objects, and what leads to them, by keys.
package struct ObjectLookup {
  /// The tables and relationships.
  package let schema: EditedSchema
  /// Runs the queries, and those of others in the same database.
  package let statements: EditStatements

  /// Prepares to look up objects in a database with these tables.
  package init(_ database: SQLiteDatabase, _ schema: EditedSchema) {
    self.schema = schema
    statements = EditStatements(database)
  }

  func name(_ table: Int) -> String { quotedIdentifier(schema.tables[table].tableName) }

  func name(_ column: Int, of table: Int) -> String {
    quotedIdentifier(schema.tables[table].columns[column].storedName)
  }

  /// Whether there is an object.
  package func contains(_ object: StoredObject) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(name(object.table)) WHERE Z_PK = ?", .integer(object.key)) != nil
  }

  /// The number of an object's entity; nil if there is no such object.
  package func entityNumber(of object: StoredObject) throws(CofferError) -> Int64? {
    try statements.row(
      "SELECT Z_ENT FROM \(name(object.table)) WHERE Z_PK = ?", .integer(object.key))?[0].integer
  }

  /// The integer in a column of an object; nil if there is none.
  package func integer(_ column: Int, of object: StoredObject) throws(CofferError) -> Int64? {
    try statements.row(
      "SELECT \(name(column, of: object.table)) FROM \(name(object.table)) WHERE Z_PK = ?",
      .integer(object.key))?[0].integer
  }

  /// Whether a table has objects of exactly this entity, given by its number.
  package func hasObjects(of entity: Int64, in table: Int) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(name(table)) WHERE Z_ENT = ? LIMIT 1", .integer(entity)) != nil
  }

  /// The objects whose reference leads to an object, in ascending order of their keys.
  package func holders(
    of object: StoredObject, in reference: EditedReference
  ) throws(CofferError) -> [StoredObject] {
    try statements.integers(
      "SELECT Z_PK FROM \(name(reference.table)) WHERE "
        + "\(name(reference.column, of: reference.table)) = ? ORDER BY Z_PK",
      .integer(object.key)
    ).map { StoredObject(table: reference.table, key: $0) }
  }

  /// The keys at the other end of the pairs of an object.
  package func partners(
    of key: Int64, at end: Int, in pairs: EditedPairs
  ) throws(CofferError) -> [Int64] {
    try statements.integers(
      "SELECT \(quotedIdentifier(pairs.ends[1 - end].column)) FROM \(quotedIdentifier(pairs.name)) "
        + "WHERE \(quotedIdentifier(pairs.ends[end].column)) = ?", .integer(key))
  }

  /// Whether there is a pair; of a relationship that is its own inverse, in either direction.
  package func hasPair(
    _ source: Int64, _ destination: Int64, in pairs: EditedPairs
  ) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(quotedIdentifier(pairs.name)) WHERE \(pairs.condition)", .integer(source),
      .integer(destination)) != nil
  }
}

extension EditedPairs {
  /// A condition for a pair, with the keys of its source and destination as ?1 and ?2.
  var condition: String {
    let (first, second) = (quotedIdentifier(ends[0].column), quotedIdentifier(ends[1].column))
    let own = "\(first) = ?1 AND \(second) = ?2"
    return isReflexive ? "(\(own)) OR (\(first) = ?2 AND \(second) = ?1)" : own
  }
}
