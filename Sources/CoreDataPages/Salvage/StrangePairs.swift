internal import CoreDataModel
internal import CoreDataStore

/// Pairs on a page of another join table: rows do not show which table they belong to, but each
/// table has an index with all of its pairs.
///
/// A pair is removed if the index of its table lacks it and the index of another table has it with
/// the same row number. A pair that no other table has stays: then the index may be damaged.
struct StrangePairs {
  let table: SalvagedTable
  let source: SQLiteDatabase
  let target: SQLiteDatabase

  /// Removes such pairs from the copy; returns whether there were any.
  func remove(index: String) throws(CofferError) -> Bool {
    guard let own = try lookup(table.schema.name, index),
      let columns = try pairColumns(of: table.schema.name), let rowNumber = table.rowNumber
    else { return false }
    let others = try otherLookups()
    guard !others.isEmpty else { return false }
    let name = quotedIdentifier(table.schema.name)
    let rows = try target.prepare("SELECT \(rowNumber), \(columns) FROM \(name)")
    var strangers: [Int64] = []
    while try rows.step() {
      let row = [rows.int64(0), rows.int64(1), rows.int64(2)]
      guard try own.has(row) == false else { continue }
      for other in others where try other.has(row) == true {
        strangers.append(row[0])
        break
      }
    }
    let deletion = try target.prepare("DELETE FROM \(name) WHERE \(rowNumber) = ?1")
    for key in strangers {
      deletion.bind(key, at: 1)
      try deletion.run()
    }
    return !strangers.isEmpty
  }

  private func otherLookups() throws(CofferError) -> [Lookup] {
    let rows: [[SQLiteValue]]
    do {
      rows = try source.rows(
        "SELECT tbl_name, name FROM main.sqlite_schema WHERE type = 'index' AND sql IS NULL "
          + "AND name LIKE 'sqlite_autoindex_Z_%'")
    } catch {
      guard error.isDamage else { throw error }
      return []
    }
    var lookups: [Lookup] = []
    for row in rows {
      guard let name = row[0].string, let index = row[1].string,
        SchemaName(name) != SchemaName(table.schema.name),
        let found = try lookup(name, index)
      else { continue }
      lookups.append(found)
    }
    return lookups
  }

  /// The statement that finds pairs of a table in its index; nil for a table of something else.
  private func lookup(_ name: String, _ index: String) throws(CofferError) -> Lookup? {
    guard let columns = try pairColumns(of: name) else { return nil }
    do {
      return Lookup(
        try source.prepare(
          "SELECT 1 FROM \(quotedIdentifier(name)) INDEXED BY \(quotedIdentifier(index)) "
            + "WHERE rowid = ?1 AND (\(columns)) = (?2, ?3)"))
    } catch {
      guard error.isDamage || error.code == .sqliteError else { throw error }
      return nil
    }
  }

  /// The two columns of the key, in the order of the columns.
  private func pairColumns(of name: String) throws(CofferError) -> String? {
    do {
      let names = try source.rows(
        "SELECT name FROM pragma_table_info(?1, 'main') WHERE pk > 0 ORDER BY cid", [.string(name)]
      ).compactMap(\.first?.string)
      return names.count == 2 ? names.map(quotedIdentifier).joined(separator: ", ") : nil
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Finds a pair by its row number and its two values, in the order of their columns.
  private final class Lookup {
    private let statement: SQLiteStatement

    init(_ statement: consuming SQLiteStatement) { self.statement = statement }

    /// Whether the index has a pair; nil if a page on the way to it cannot be read.
    func has(_ row: [Int64]) throws(CofferError) -> Bool? {
      defer { statement.reset() }
      for (position, value) in row.enumerated() {
        statement.bind(value, at: Int32(clamping: position + 1))
      }
      do {
        return try statement.step()
      } catch {
        guard error.isDamage else { throw error }
        return nil
      }
    }
  }
}
