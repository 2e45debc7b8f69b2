package import CoreDataModel

/// The space that tables and indexes use in a store's file, in whole pages.
package struct PageUsage: Sendable {
  /// A table or an index.
  package struct Tree: Sendable, Equatable {
    /// The table that it is or belongs to.
    package var tableName: String
    /// Whether it is an index.
    package var isIndex: Bool
    /// The size of its pages in bytes.
    package var byteCount: Int
  }

  /// All tables and indexes, in the order of SQLite.
  package var trees: [Tree] = []

  /// Examines all pages of a store; nil if this SQLite does not support it, or the pages are
  /// damaged.
  ///
  /// - Throws: ``CofferError``, only with the code `store-busy`.
  package init?(_ database: SQLiteDatabase) throws(CofferError) {
    do {
      var owners: [Name: (table: String, isIndex: Bool)] = [:]
      for row in try database.rows("SELECT name, tbl_name, type FROM main.sqlite_master") {
        guard let name = row[0].string, let table = row[1].string else { continue }
        owners[Name(name)] = (table, row[2].string == "index")
      }
      let rows = try database.rows("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
      trees = rows.compactMap { row in
        guard let name = row[0].string, let count = row[1].integer else { return nil }
        let owner = owners[Name(name)] ?? (name, false)
        return Tree(tableName: owner.table, isIndex: owner.isIndex, byteCount: Int(clamping: count))
      }
    } catch {
      if error.code == .storeBusy { throw error }
      return nil
    }
  }

  /// The size in bytes of some tables and indexes, reading only their pages; nil if this SQLite does
  /// not support it, or pages are damaged.
  static func byteCount(
    of trees: [String], in database: SQLiteDatabase
  ) throws(CofferError) -> Int? {
    var sum: Int64 = 0
    for name in trees {
      do {
        let size = try database.value(
          "SELECT pgsize FROM dbstat WHERE aggregate = TRUE AND name = ?", [.string(name)])
        sum = sum.addingReportingOverflow(size?.integer ?? 0).partialValue
      } catch {
        if error.code == .storeBusy { throw error }
        return nil
      }
    }
    return Int(clamping: max(0, sum))
  }
}
