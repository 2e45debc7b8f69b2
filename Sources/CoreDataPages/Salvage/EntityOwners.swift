internal import CoreDataModel
internal import CoreDataStore

/// Which table the objects of each entity are in.
package struct EntityOwners: Sendable {
  private(set) var tables: [Int64: String] = [:]
  /// Whether the rows themselves show the owners, because the store has lost its numbers.
  let areInferred: Bool
  /// The tables all of whose readable rows are of other tables.
  private var outnumbered: Set<String> = []

  /// The numbers are the store's own.
  init(_ tables: [Int64: String]) {
    self.tables = tables
    areInferred = false
  }

  /// Counts the rows of all tables, because no entity has objects in two of them.
  ///
  /// The rows of a page that belongs to another table are outnumbered by the rows in their own.
  /// Otherwise they belong to neither table.
  ///
  /// - Throws: ``CofferError`` for anything but damage.
  init(inferredFrom tables: [SchemaTable], in database: SQLiteDatabase) throws(CofferError) {
    areInferred = true
    var shares: [Int64: [Share]] = [:]
    for table in tables {
      let counts = try Self.counts(of: table, in: database)
      if !counts.isEmpty { outnumbered.insert(table.name) }
      let total = counts.values.reduce(0, +)
      for (number, count) in counts {
        shares[number, default: []].append(Share(table: table.name, count: count, total: total))
      }
    }
    for (number, rivals) in shares {
      let ranked = rivals.sorted { $0.isStronger(than: $1) }
      guard let first = ranked.first,
        ranked.count == 1 || first.isStronger(than: ranked[1])
      else { continue }
      self.tables[number] = first.table
      outnumbered.remove(first.table)
    }
  }

  /// The numbers of a table; empty if they are unknown, and 0, which no entity has, if it has none.
  func numbers(of table: String) -> Set<Int64> {
    if outnumbered.contains(table) { return [0] }
    return Set(tables.filter { $0.value == table }.keys)
  }

  // MARK: Counting

  /// The rows with a number in a table.
  private struct Share {
    var table: String
    var count: Int
    /// The number of all rows of the table.
    var total: Int

    func isStronger(than other: Share) -> Bool {
      count == other.count ? total < other.total : count > other.count
    }
  }

  /// The maximum number of rows to read from one end of a table: damage can lead pages in a circle.
  private static let rowLimit = 1 << 20
  /// The maximum number of different numbers in a table.
  private static let numberLimit = 1 << 16

  /// Reads a table from both ends until a page cannot be read.
  private static func counts(
    of table: SchemaTable, in database: SQLiteDatabase
  ) throws(CofferError) -> [Int64: Int] {
    guard let key = table.rowIDAlias.map(quotedIdentifier) else { return [:] }
    var counts: [Int64: Int] = [:]
    for direction in ["", " DESC"] {
      do {
        let statement = try database.prepare(
          "SELECT \(StoredName.entityNumber) FROM \(quotedIdentifier(table.name)) NOT INDEXED "
            + "ORDER BY \(key)\(direction) LIMIT \(rowLimit)")
        while try statement.step() {
          guard statement.storageClass(0) == .integer else { continue }
          let number = statement.int64(0)
          if counts[number] != nil || counts.count < numberLimit {
            counts[number, default: 0] += 1
          }
        }
        return counts
      } catch {
        guard error.isDamage || error.code == .sqliteError else { throw error }
      }
    }
    return counts
  }
}
