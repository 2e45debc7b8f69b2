internal import CoreDataLayout
package import CoreDataModel

/// Looks up objects and references to them by keys.
package struct ObjectLookup {
  /// The tables and relationships.
  package let schema: EditedSchema
  /// Runs these queries, and other queries in the same database.
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

  /// The objects that refer to an object, in ascending order of their keys.
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

  /// Whether there is a pair with this source and destination.
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
    "\(quotedIdentifier(ends[0].column)) = ?1 AND \(quotedIdentifier(ends[1].column)) = ?2"
  }
}

extension ObjectLookup {
  /// Passes on the relationships of an object, with a closure for the existing destinations.
  func forEachRelationship(
    of object: StoredObject, _ entity: Int64,
    _ body: (RelationshipDescription, () throws(CofferError) -> [StoredObject]) throws(CofferError)
      -> Void
  ) throws(CofferError) {
    for reference in schema.references {
      if reference.table == object.table, reference.holders.contains(entity),
        let relationship = reference.relationship
      {
        try body(relationship) { () throws(CofferError) in
          try destination(of: object, in: reference)
        }
      }
      if reference.destinationTable == object.table, let inverse = reference.inverse,
        inverse.relationship.isToMany,
        schema.numbers(below: inverse.entity).contains(entity)
      {
        try body(inverse.relationship) { () throws(CofferError) in
          try holders(of: object, in: reference)
        }
      }
    }
    for pairs in schema.pairs {
      for end in 0...1 where pairs.ends[end].table == object.table {
        let other = pairs.ends[1 - end].table
        try body(pairs.ends[end].relationship) { () throws(CofferError) in
          try partners(of: object.key, at: end, in: pairs).map {
            StoredObject(table: other, key: $0)
          }
        }
      }
    }
  }

  /// The destinations of an object's relationships with a delete rule, each with the name of its
  /// relationship.
  package func destinations(
    of object: StoredObject, by rule: DeleteRule
  ) throws(CofferError) -> [(object: StoredObject, relationshipName: Name)] {
    guard let entity = try entityNumber(of: object) else { return [] }
    var found: [(object: StoredObject, relationshipName: Name)] = []
    try forEachRelationship(of: object, entity) {
      relationship, destinations throws(CofferError) in
      guard relationship.deleteRule == rule else { return }
      for destination in try destinations() { found.append((destination, relationship.name)) }
    }
    return found
  }

  /// The owners of an object, which cannot be deleted while it stays: the objects that lead to it by a
  /// relationship with the delete rule Cascade or Deny.
  package func owners(of object: StoredObject) throws(CofferError) -> [StoredObject] {
    guard let entity = try entityNumber(of: object) else { return [] }
    func isOwning(_ relationship: RelationshipDescription?) -> Bool {
      relationship?.deleteRule == .cascade || relationship?.deleteRule == .deny
    }
    var found: [StoredObject] = []
    for reference in schema.references {
      if reference.table == object.table, reference.holders.contains(entity),
        isOwning(reference.inverse?.relationship)
      {
        found += try destination(of: object, in: reference)
      }
      if reference.destinationTable == object.table, isOwning(reference.relationship) {
        found += try holders(of: object, in: reference)
      }
    }
    for pairs in schema.pairs {
      for end in 0...1
      where pairs.ends[end].table == object.table && isOwning(pairs.ends[1 - end].relationship) {
        let table = pairs.ends[1 - end].table
        found += try partners(of: object.key, at: end, in: pairs).map {
          StoredObject(table: table, key: $0)
        }
      }
    }
    return found
  }

  /// The destination of a reference; none if it does not exist.
  private func destination(
    of object: StoredObject, in reference: EditedReference
  ) throws(CofferError) -> [StoredObject] {
    guard let key = try integer(reference.column, of: object) else { return [] }
    let other = StoredObject(table: reference.destinationTable, key: key)
    return try contains(other) ? [other] : []
  }
}
