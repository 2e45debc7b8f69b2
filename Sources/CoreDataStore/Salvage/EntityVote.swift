internal import CoreDataModel

/// Whether the objects of a damaged store are of the entities that its tables are supposed to hold.
///
/// Where the store's numbers of entities are lost, they are supposed to follow from the model. Each table
/// has a voice: whether most of its rows have numbers of its entities. A page of another table in the place
/// of one that had all rows of its table outvotes that table, but not the others.
struct EntityVote {
  private var won = 0
  private var lost = 0

  /// Whether more tables have such rows than have others; false if no row can be read.
  var isWon: Bool { won > lost }

  /// Lets a table vote.
  ///
  /// Rows are read from both ends until one cannot be read.
  ///
  /// - Parameters:
  ///   - layout: the table, and the numbers of the entities.
  ///   - database: the open store.
  /// - Throws: ``CofferError`` for anything but damage.
  mutating func add(_ layout: RowLayout, in database: SQLiteDatabase) throws(CofferError) {
    guard let key = layout.table.rowIDAlias.map(quotedIdentifier) else { return }
    let all =
      "SELECT \(StoredName.entityNumber) FROM \(quotedIdentifier(layout.table.name)) NOT INDEXED "
      + "ORDER BY \(key)"
    var rows = Rows(numbers: layout.entityNumbers)
    if try !rows.read(all, in: database) { _ = try rows.read(all + " DESC", in: database) }
    if rows.fitting * 2 > rows.count { won += 1 }
    if rows.fitting * 2 < rows.count { lost += 1 }
  }

  /// The rows of a table.
  private struct Rows {
    let numbers: Set<Int64>
    var count = 0
    var fitting = 0

    /// The maximum number of rows to read from one end: more would not make it surer, and damage can lead
    /// pages in a circle.
    private static let limit = 1 << 16

    /// Counts the rows of a statement.
    ///
    /// - Returns: whether none of them was unreadable.
    mutating func read(_ sql: String, in database: SQLiteDatabase) throws(CofferError) -> Bool {
      do {
        let statement = try database.prepare("\(sql) LIMIT \(Self.limit)")
        while try statement.step() {
          count += 1
          if statement.storageClass(0) == .integer, numbers.contains(statement.int64(0)) {
            fitting += 1
          }
        }
        return true
      } catch {
        guard error.isDamage || error.code == .sqliteError else { throw error }
        return false
      }
    }
  }
}
