internal import CoreDataLayout
package import CoreDataModel

/// Reduces a store that nobody uses yet to some of its objects, with those that they need.
///
/// An object needs the destinations of its relationships that are not optional. Other relationships
/// with objects that are left out are unset. Versions and counters stay as they are, and nothing is
/// recorded in the history.
package final class StoreReduction {
  /// What is left and what is not.
  package struct Counts: Sendable {
    /// The objects that are left because others need them.
    package var neededCount = 0
    /// The objects that were left out.
    package var omittedCount = 0
    /// The relationships that were unset: to-one relationships, and pairs.
    package var unsetCount = 0
    /// The rows that are left: objects, pairs, and to-one relationships with a destination.
    package var left: (objectCount: Int, pairCount: Int, toOneCount: Int) = (0, 0, 0)
  }

  /// The objects that are left: table, key, and by how many relationships they are away from an object
  /// that was chosen.
  private static let chosen = "temp.coffer_chosen"

  private let editor: ObjectEditor
  private let database: SQLiteDatabase
  private let schema: EditedSchema
  private let statements: EditStatements
  private var counts = Counts()

  /// Begins.
  ///
  /// - Parameters:
  ///   - database: the database of an editor.
  ///   - store: the store.
  /// - Throws: ``CofferError`` as ``ObjectEditor`` has it.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) throws(CofferError) {
    self.database = database
    editor = try ObjectEditor(database, of: store)
    schema = editor.schema
    statements = editor.statements
    try database.run(
      "CREATE TABLE \(Self.chosen) (t INTEGER, k INTEGER, n INTEGER, PRIMARY KEY (t, k)) "
        + "WITHOUT ROWID")
    try database.run("CREATE INDEX temp.coffer_distance ON coffer_chosen (t, n, k)")
  }

  /// Chooses an object.
  ///
  /// - Parameters:
  ///   - key: its primary key.
  ///   - entity: its entity, or one above it.
  /// - Throws: ``CofferError`` as SQLite says.
  package func choose(_ key: Int64, of entity: String) throws(CofferError) {
    guard let table = schema.table(of: entity) else { return }
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) VALUES (?, ?, 0)", .integer(Int64(table)),
      .integer(key))
  }

  /// Removes everything else.
  ///
  /// - Parameter step: called from time to time.
  /// - Returns: what is left and what is not.
  /// - Throws: ``CofferError``: `refused` if objects are left out that only the app can remove; as
  ///   SQLite says. Errors from the closure.
  package func complete(step: () throws -> Void) throws -> Counts {
    var distance: Int64 = 0
    while try addNeeded(by: distance) > 0 {
      try step()
      distance += 1
    }
    counts.neededCount = try count("SELECT count(*) FROM \(Self.chosen) WHERE n > 0")
    for reference in schema.references {
      try step()
      try unset(reference)
    }
    for pairs in schema.pairs {
      try step()
      try remove(pairs)
    }
    for table in schema.tables.indices {
      try step()
      try removeObjects(of: table)
    }
    try noteChosen()
    try editor.computeDerivedValues()
    return counts
  }

  /// The names of the external files that objects refer to.
  package func referencedFiles() throws(CofferError) -> Set<ExactString> {
    let counter = RowCounter(database)
    var names: Set<ExactString> = []
    for (table, columns) in editor.externalColumns.enumerated() {
      for column in columns {
        let found = schema.tables[table]
        names.formUnion(
          try counter.externalFileNames(
            table: found.tableName, column: found.columns[column].storedName
          ).exactStrings)
      }
    }
    return names
  }

  private func count(_ sql: String) throws(CofferError) -> Int {
    Int(clamping: try statements.row(sql)?[0].integer ?? 0)
  }

  private func isChosen(_ key: String, in table: Int) -> String {
    "\(key) IN (SELECT k FROM \(Self.chosen) WHERE t = \(table))"
  }

  private func isNew(_ key: String, in table: Int, _ distance: Int64) -> String {
    "\(key) IN (SELECT k FROM \(Self.chosen) WHERE t = \(table) AND n = \(distance))"
  }

  // MARK: What is needed

  /// Chooses what the objects at a distance need.
  ///
  /// - Returns: the number of objects that were not chosen before.
  private func addNeeded(by distance: Int64) throws(CofferError) -> Int {
    var added = 0
    for reference in schema.references {
      let table = editor.name(reference.table)
      let column = editor.name(reference.column, of: reference.table)
      if let relationship = reference.relationship, !relationship.isOptional {
        added += try choose(
          reference.destinationTable, distance, column, from: table,
          where: isNew("Z_PK", in: reference.table, distance))
      }
      if let inverse = reference.inverse?.relationship, !inverse.isOptional {
        added += try choose(
          reference.table, distance, "Z_PK", from: table,
          where: isNew(column, in: reference.destinationTable, distance))
      }
    }
    for pairs in schema.pairs {
      for (number, end) in pairs.ends.enumerated() where !end.relationship.isOptional {
        let other = pairs.ends[1 - number]
        added += try choose(
          other.table, distance, quotedIdentifier(other.column), from: quotedIdentifier(pairs.name),
          where: isNew(quotedIdentifier(end.column), in: end.table, distance))
      }
    }
    return added
  }

  private func choose(
    _ chosen: Int, _ distance: Int64, _ key: String, from table: String, where condition: String
  ) throws(CofferError) -> Int {
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) SELECT \(chosen), Z_PK, \(distance + 1) FROM "
        + "\(editor.name(chosen)) WHERE Z_PK IN (SELECT \(key) FROM \(table) WHERE \(condition))")
  }

  // MARK: What is left out

  private func unset(_ reference: EditedReference) throws(CofferError) {
    let table = editor.name(reference.table)
    let column = editor.name(reference.column, of: reference.table)
    let columns = [reference.column, reference.entityColumn, reference.orderColumn]
      .compactMap(\.self).map { "\(editor.name($0, of: reference.table)) = NULL" }
    // A reference to an object that does not exist stays: it is a defect of the data.
    counts.unsetCount += try statements.run(
      "UPDATE \(table) SET \(columns.joined(separator: ", ")) WHERE "
        + "\(isChosen("Z_PK", in: reference.table)) AND "
        + "NOT (\(isChosen(column, in: reference.destinationTable))) AND "
        + "\(column) IN (SELECT Z_PK FROM \(editor.name(reference.destinationTable)))")
    // What they lose that stay, and that others lead to.
    if reference.inverse != nil, reference.partner == nil {
      counts.unsetCount += try count(
        "SELECT count(*) FROM \(table) WHERE \(isChosen(column, in: reference.destinationTable)) AND "
          + "NOT (\(isChosen("Z_PK", in: reference.table)))")
    }
    guard reference.relationship != nil else { return }
    counts.left.toOneCount += try count(
      "SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL AND "
        + isChosen("Z_PK", in: reference.table))
  }

  private func remove(_ pairs: EditedPairs) throws(CofferError) {
    let table = quotedIdentifier(pairs.name)
    let ends = pairs.ends.map { isChosen(quotedIdentifier($0.column), in: $0.table) }
    counts.unsetCount += try count(
      "SELECT count(*) FROM \(table) WHERE (\(ends[0])) <> (\(ends[1]))")
    try statements.run("DELETE FROM \(table) WHERE NOT (\(ends[0]) AND \(ends[1]))")
    counts.left.pairCount += try count("SELECT count(*) FROM \(table)")
  }

  private func removeObjects(of table: Int) throws(CofferError) {
    let condition = "NOT (\(isChosen("Z_PK", in: table)))"
    for index in editor.spatialIndexes where index.table == table {
      try statements.run("DELETE FROM \(index.name) WHERE \(condition)")
    }
    let removed = try statements.run("DELETE FROM \(editor.name(table)) WHERE \(condition)")
    if removed > 0 { try editor.requireEditable(table) }
    counts.omittedCount += removed
    counts.left.objectCount += try count("SELECT count(*) FROM \(editor.name(table))")
  }

  /// Lets the editor compute what derives from what is left.
  private func noteChosen() throws(CofferError) {
    try statements.run(
      "INSERT OR IGNORE INTO \(ObjectEditor.touched) SELECT t, k, \(ObjectEditor.inserted) "
        + "FROM \(Self.chosen)")
  }
}
