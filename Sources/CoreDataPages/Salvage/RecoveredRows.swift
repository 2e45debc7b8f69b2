package import CoreDataModel
package import CoreDataStore

/// Rows recovered from loose pages, one for each key, in the tables of a copy.
///
/// If several rows have a key, a row on a page in use wins, then the row with the highest
/// version. Not to be used outside of the block of the copy.
package final class RecoveredRows {
  /// The number of recovered rows of an entity.
  package struct Count: Sendable, Hashable {
    /// The number of the entity.
    package var entityNumber: Int64
    /// The number of rows.
    package var rows: Int
    /// The number of rows on free pages.
    package var free: Int
    /// The number of rows with a lost value.
    package var incomplete: Int
  }

  /// The statements of a table of the copy.
  private final class Target {
    let lookup: SQLiteStatement
    let insertion: SQLiteStatement

    init(_ layout: RowLayout, notes: String, in database: SQLiteDatabase) throws(CofferError) {
      let name = quotedIdentifier(layout.table.name)
      let places = layout.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      lookup = try database.prepare(
        "SELECT \(StoredName.version), free FROM \(name) JOIN \(notes) ON name = ?2 AND key = ?1 "
          + "WHERE \(StoredName.primaryKey) = ?1")
      insertion = try database.prepare("INSERT OR REPLACE INTO \(name) VALUES (\(places))")
    }
  }

  private static let noteTable = quotedIdentifier("coffer found rows")

  private let database: SQLiteDatabase
  private var targets: [Name: Target] = [:]
  private let note: SQLiteStatement

  /// Makes the tables, without rows.
  ///
  /// - Parameters:
  ///   - layouts: the tables whose rows are recovered.
  ///   - others: other tables that a reader of the copy expects.
  ///   - database: the copy.
  /// - Throws: ``CofferError`` when the copy cannot be written.
  package init(
    _ layouts: [RowLayout], beside others: [SchemaTable], in database: SQLiteDatabase
  ) throws(CofferError) {
    self.database = database
    let notes = Self.noteTable
    try database.run(
      "CREATE TABLE \(notes) (name, key INTEGER, free, incomplete, PRIMARY KEY (name, key))")
    note = try database.prepare("INSERT OR REPLACE INTO \(notes) VALUES (?1, ?2, ?3, ?4)")
    for table in others {
      try SalvageCopy.create(table, columns: table.columns.map(\.name), in: database)
    }
    for layout in layouts {
      try SalvageCopy.create(layout.table, columns: layout.columns, in: database)
      targets[Name(layout.table.name)] = try Target(layout, notes: notes, in: database)
    }
  }

  /// Takes a row, unless there is a better row with its key.
  package func take(_ row: FoundRow) throws(CofferError) {
    let name = row.layout.table.name
    guard let target = targets[Name(name)] else { return }
    target.lookup.reset()
    target.lookup.bind(row.key, at: 1)
    target.lookup.bind(.string(name), at: 2)
    if try target.lookup.step() {
      let (version, isFree) = (target.lookup.int64(0), target.lookup.int64(1) != 0)
      target.lookup.reset()
      guard isFree == row.isFree ? row.version > version : isFree else { return }
    }
    target.insertion.clearBindings()
    for (column, value) in row.values.enumerated() {
      if let value { target.insertion.bind(value, at: Int32(clamping: column + 1)) }
    }
    try target.insertion.run()
    note.bind(.string(name), at: 1)
    note.bind(row.key, at: 2)
    note.bind(row.isFree ? 1 : 0 as Int64, at: 3)
    note.bind(row.values.contains { $0 == nil } ? 1 : 0 as Int64, at: 4)
    try note.run()
  }

  /// The numbers of recovered rows, by the numbers of the entities in ascending order.
  package func counts() throws(CofferError) -> [Count] {
    var counts: [Count] = []
    for name in targets.keys {
      let rows = try database.rows(
        "SELECT \(StoredName.entityNumber), count(*), sum(free), sum(incomplete) "
          + "FROM \(quotedIdentifier(name.text)) JOIN \(Self.noteTable) "
          + "ON name = ?1 AND key = \(StoredName.primaryKey) GROUP BY 1", [.string(name.text)])
      counts += rows.map { row in
        let numbers = row.map { $0.integer ?? 0 }
        return Count(
          entityNumber: numbers[0], rows: Int(clamping: numbers[1]),
          free: Int(clamping: numbers[2]),
          incomplete: Int(clamping: numbers[3]))
      }
    }
    return counts.sorted { $0.entityNumber < $1.entityNumber }
  }
}
