internal import CoreDataLayout
package import CoreDataModel

/// Reduces a store that is not yet in use to some of its objects and the objects that they need.
///
/// An object needs the destinations of its relationships that are not optional, or that must have none or at
/// least two. Other relationships to objects that are left out are unset. Versions and counters do not change,
/// and nothing is recorded in the history.
package final class StoreReduction {
  /// The remaining and the removed objects.
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

  private let editor: ObjectEditor
  private let database: SQLiteDatabase
  private let schema: EditedSchema
  private let statements: EditStatements
  private let closure: ObjectClosure
  private var counts = Counts()

  /// Begins; throws an error as ``ObjectEditor`` has it.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) throws(CofferError) {
    self.database = database
    editor = try ObjectEditor(database, of: store)
    schema = editor.schema
    statements = editor.statements
    closure = try ObjectClosure(database, editor.schema)
  }

  /// Chooses an object.
  ///
  /// - Parameters:
  ///   - key: its primary key.
  ///   - entity: its entity, or one above it.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func choose(_ key: Int64, of entity: Name) throws(CofferError) {
    try closure.choose(key, of: entity)
  }

  /// Removes everything else.
  ///
  /// - Returns: the remaining and the removed objects.
  /// - Throws: ``CofferError``: `refused` if objects are left out that only the app can remove; as
  ///   SQLite says. Errors from the closure.
  package func complete(step: () throws -> Void) throws -> Counts {
    defer { closure.end() }
    try closure.complete(step: step)
    counts.neededCount = try closure.neededCount()
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
  package func referencedFiles() throws(CofferError) -> Set<Name> {
    let counter = RowCounter(database)
    var names: Set<Name> = []
    for (table, columns) in editor.externalColumns.enumerated() {
      for column in columns {
        let found = schema.tables[table]
        names.formUnion(
          try counter.externalFileNames(
            table: found.tableName, column: found.columns[column].storedName
          ).compactMap(\.self).names)
      }
    }
    return names
  }

  private func count(_ sql: String) throws(CofferError) -> Int {
    Int(clamping: try statements.row(sql)?[0].integer ?? 0)
  }

  // MARK: Omissions

  private func unset(_ reference: EditedReference) throws(CofferError) {
    counts.unsetCount += try closure.unset(reference)
    counts.unsetCount += try closure.lostCount(reference)
    guard reference.relationship != nil else { return }
    counts.left.toOneCount += try count(
      "SELECT count(*) FROM \(editor.name(reference.table)) WHERE "
        + "\(editor.name(reference.column, of: reference.table)) IS NOT NULL AND "
        + ObjectClosure.contains("Z_PK", of: reference.table))
  }

  private func remove(_ pairs: EditedPairs) throws(CofferError) {
    let table = quotedIdentifier(pairs.name)
    counts.unsetCount += try closure.lostCounts(pairs).reduce(0) { $0 + $1.count }
    try statements.run("DELETE FROM \(table) WHERE NOT (\(ObjectClosure.contains(pairs)))")
    counts.left.pairCount += try count("SELECT count(*) FROM \(table)")
  }

  private func removeObjects(of table: Int) throws(CofferError) {
    let condition = "NOT (\(ObjectClosure.contains("Z_PK", of: table)))"
    for index in editor.spatialIndexes where index.table == table {
      try statements.run("DELETE FROM \(index.name) WHERE \(condition)")
    }
    let removed = try statements.run("DELETE FROM \(editor.name(table)) WHERE \(condition)")
    if removed > 0 {
      try editor.requireEditable(
        table: schema.tables[table].tableName, advice: "Restore all objects.")
    }
    counts.omittedCount += removed
    counts.left.objectCount += try count("SELECT count(*) FROM \(editor.name(table))")
  }

  /// Lets the editor compute the values that derive from the remaining objects.
  private func noteChosen() throws(CofferError) {
    try statements.run(
      "INSERT OR IGNORE INTO \(ObjectEditor.touched) SELECT t, k, \(ObjectEditor.inserted) "
        + "FROM \(ObjectClosure.chosen)")
  }
}
