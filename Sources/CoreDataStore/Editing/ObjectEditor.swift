internal import CoreDataLayout
package import CoreDataModel

/// Changes the objects of a store as Core Data does when it saves.
///
/// It works on the private copy of a ``StoreEditor``, within its transaction. Keys of new objects come
/// from the counters; both sides of a relationship change together; changes raise the version of an
/// object by one in total. ``finish(at:)`` completes what depends on all of them.
package final class ObjectEditor {
  /// The current objects.
  package let lookup: ObjectLookup
  let store: PersistentStore
  /// The names of the external files that changed or deleted objects referred to.
  package private(set) var releasedFiles: Set<Name> = []
  /// The highest keys by table, for tables with inserted objects.
  private(set) var highestKeys: [Int: Int64] = [:]
  /// The tables of objects and of pairs with triggers that only the app can run, by their names.
  private let lockedTables: [SchemaName: String]
  /// By table: the columns of external binary data.
  package let externalColumns: [[Int]]
  var tablesWithCounts: Set<Int> = []
  /// Called for every object that a change concerns, for each changed property.
  package var onTouch: ((StoredObject) throws(CofferError) -> Void)?
  /// The derived attributes that coffer computes.
  private(set) lazy var derivedValues = makeDerivedValues()

  /// The table of changes: table, key, and property; negative property numbers mean the object
  /// itself.
  static let touched = "temp.coffer_touched"
  /// The table of deleted objects, with the numbers of their entities.
  static let deleted = "temp.coffer_deleted"
  /// The table of the owners of ordered relationships with members that have no position yet.
  static let unordered = "temp.coffer_unordered"
  /// The table of values that deletions keep in the history.
  static let kept = "temp.coffer_kept"
  /// The table of the numbers of updates that the history has of objects.
  static let updates = "temp.coffer_updates"
  static let inserted: Int64 = -1
  static let removed: Int64 = -2

  /// Begins to edit.
  ///
  /// - Throws: ``CofferError``: `refused` if a table of objects has no versions; otherwise as SQLite
  ///   says.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) throws(CofferError) {
    self.store = store
    let schema = EditedSchema(store.layout)
    lookup = ObjectLookup(database, schema)
    lockedTables = Self.lockedTables(store)
    externalColumns = schema.tables.map { table in
      table.columns.indices.filter {
        if case .attribute(_, _, isExternal: true, _) = table.columns[$0].role {
          true
        } else {
          false
        }
      }
    }
    for table in schema.tables where table.position(of: .version) == nil {
      throw CofferError(
        .refused, path: store.path, item: "table \(table.tableName)",
        detail: "its rows have no versions, so they cannot be changed as Core Data would")
    }
    for sql in [
      "CREATE TABLE \(Self.touched) (t INTEGER, k INTEGER, p INTEGER, PRIMARY KEY (t, k, p)) "
        + "WITHOUT ROWID",
      "CREATE TABLE \(Self.deleted) (t INTEGER, k INTEGER, e INTEGER, PRIMARY KEY (t, k)) "
        + "WITHOUT ROWID",
      "CREATE TABLE \(Self.unordered) (r INTEGER, o INTEGER, PRIMARY KEY (r, o)) WITHOUT ROWID",
      "CREATE TABLE \(Self.kept) (t INTEGER, k INTEGER, n INTEGER, v, PRIMARY KEY (t, k, n)) "
        + "WITHOUT ROWID",
    ] { try database.run(sql) }
  }

  /// The tables and relationships.
  package var schema: EditedSchema { lookup.schema }
  /// Runs statements in the copy.
  package var statements: EditStatements { lookup.statements }

  // MARK: Names

  /// The number of an object's entity; nil if there is no such object.
  package func entityNumber(of object: StoredObject) throws(CofferError) -> Int64? {
    try lookup.entityNumber(of: object)
  }

  func name(_ table: Int) -> String { lookup.name(table) }

  func name(_ column: Int, of table: Int) -> String { lookup.name(column, of: table) }

  // MARK: Objects

  /// Adds an object without any values.
  ///
  /// - Parameters:
  ///   - entity: the number of its entity.
  ///   - table: the index of the table.
  ///   - wanted: the requested key; the object gets it if it is positive and free.
  /// - Returns: the object, by default with the next key of its table.
  /// - Throws: ``CofferError`` with `refused` if a trigger must run that coffer cannot run.
  package func insert(
    entity: Int64, into table: Int, key wanted: Int64? = nil
  ) throws(CofferError) -> StoredObject {
    try requireEditable(table)
    let key: Int64
    if let wanted, wanted > 0,
      try !lookup.contains(StoredObject(table: table, key: wanted))
    {
      key = wanted
      highestKeys[table] = max(key, try highestKey(in: table))
    } else {
      key = try nextKey(in: table)
    }
    try statements.run(
      "INSERT INTO \(name(table)) (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)", .integer(key),
      .integer(entity))
    let object = StoredObject(table: table, key: key)
    try touch(object, Self.inserted)
    return object
  }

  private func highestKey(in table: Int) throws(CofferError) -> Int64 {
    if let known = highestKeys[table] { return known }
    let counter = try statements.row(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", .integer(rootNumber(of: table)))
    let present = try statements.row("SELECT max(Z_PK) FROM \(name(table))")
    return max(0, counter?[0].integer ?? 0, present?[0].integer ?? 0)
  }

  private func nextKey(in table: Int) throws(CofferError) -> Int64 {
    let (next, isTooLarge) = try highestKey(in: table).addingReportingOverflow(1)
    guard !isTooLarge else {
      throw CofferError(
        .refused, path: store.path, item: "table \(schema.tables[table].tableName)",
        detail: "all primary keys are used")
    }
    highestKeys[table] = next
    return next
  }

  func rootNumber(of table: Int) -> Int64 {
    schema.numbering.number(of: schema.tables[table].rootEntityName) ?? 0
  }

  /// Gives an attribute, or another column without a meaning to relationships, another value.
  ///
  /// - Returns: whether the value differs from the one before.
  /// - Throws: ``CofferError`` mapped from SQLite's result code; a constraint violation if the value must be unique.
  @discardableResult
  package func set(
    _ value: SQLiteValue, column: Int, of object: StoredObject
  ) throws(CofferError) -> Bool {
    try requireEditable(object.table)
    let (table, name) = (name(object.table), name(column, of: object.table))
    if externalColumns[object.table].contains(column) {
      try releaseFile(of: object, column)
    }
    let count = try statements.run(
      "UPDATE \(table) SET \(name) = ?1 WHERE Z_PK = ?2 AND \(name) IS NOT ?1", value,
      .integer(object.key))
    guard count > 0 else { return false }
    try touch(object, Int64(column))
    return true
  }

  // MARK: Changes

  /// Makes all of the changes, or none.
  ///
  /// The records kept outside the database follow the changes: the keys given out, the files
  /// released, and the tables whose updates were counted, since a rollback removes the table of the
  /// counts.
  ///
  /// - Throws: errors from the closure, after all of its changes are undone.
  package func asOne<T>(_ body: () throws -> T) throws -> T {
    let before = (highestKeys, releasedFiles, tablesWithCounts)
    try statements.run("SAVEPOINT edit")
    do {
      let result = try body()
      try statements.run("RELEASE edit")
      return result
    } catch {
      (highestKeys, releasedFiles, tablesWithCounts) = before
      try statements.run("ROLLBACK TO edit")
      try statements.run("RELEASE edit")
      throw error
    }
  }

  func touch(_ object: StoredObject, _ property: Int64) throws(CofferError) {
    try onTouch?(object)
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.touched) VALUES (?, ?, ?)", .integer(Int64(object.table)),
      .integer(object.key), .integer(property))
  }

  /// Records that a to-many relationship of an object was changed.
  func touch(_ object: StoredObject, _ property: Int?) throws(CofferError) {
    guard let property else { return }
    try requireEditable(object.table)
    try touch(object, Int64(property))
  }

  /// Records the external file that a value refers to.
  func releaseFile(of object: StoredObject, _ column: Int) throws(CofferError) {
    let name = name(column, of: object.table)
    let row = try statements.row(
      "SELECT \(name) FROM \(self.name(object.table)) WHERE Z_PK = ? AND typeof(\(name)) = 'blob' "
        + "AND length(\(name)) = 38", .integer(object.key))
    if let name = row.flatMap({ ExternalValue.fileName($0[0]) }) {
      releasedFiles.insert(Name(name))
    }
  }

  /// Removes files from ``releasedFiles`` that objects still refer to.
  func keepReferencedFiles() throws(CofferError) {
    for (table, columns) in externalColumns.enumerated() {
      for column in columns where !releasedFiles.isEmpty {
        let name = name(column, of: table)
        let rows =
          "SELECT Z_PK, \(name) FROM \(self.name(table)) WHERE Z_PK > ? AND typeof(\(name)) = 'blob' "
          + "AND length(\(name)) = 38 ORDER BY Z_PK"
        var last = SQLiteValue.integer(.min)
        while case let found = try statements.rows(rows + " LIMIT 1000", last),
          let end = found.last
        {
          last = end[0]
          for file in found.compactMap({ ExternalValue.fileName($0[1]) }) {
            releasedFiles.remove(Name(file))
          }
        }
      }
    }
  }

  // MARK: Triggers

  /// The triggers that do more than coffer can do in their place, by the names of their tables.
  private static func lockedTables(_ store: PersistentStore) -> [SchemaName: String] {
    var found: [SchemaName: String] = [:]
    for trigger in store.catalog.triggers
    where !["Z_DA_", "Z_RT_"].contains(where: { trigger.name.hasPrefix($0) }) {
      found[SchemaName(trigger.tableName)] = trigger.name
    }
    return found
  }

  func requireEditable(_ table: Int) throws(CofferError) {
    try requireEditable(table: schema.tables[table].tableName)
  }

  /// Refuses to change a table of objects or pairs with a trigger that only the app can run.
  func requireEditable(
    table: String, advice: CofferError.Advice = "Change these objects in the app."
  ) throws(CofferError) {
    guard let trigger = lockedTables[SchemaName(table)] else { return }
    throw CofferError(
      .refused, path: store.path, item: "table \(table)",
      detail: "its trigger \(trigger) must run with each change, and only the app can run it",
      advice: advice)
  }
}
