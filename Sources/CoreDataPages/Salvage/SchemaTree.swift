internal import CoreDataModel
internal import CoreDataStore

/// A row of the list of tables.
struct SchemaRow: Sendable {
  /// The kind of the object: table, index, trigger or view.
  var kind: String
  var name: String
  var tableName: String
  /// The number of its first page; 0 for none.
  var root: Int
  /// The statement; nil for an index that a constraint implies.
  var sql: String?

  init(table name: String, root: Int, sql: String) {
    (kind, self.name, tableName, self.root, self.sql) = ("table", name, name, root, sql)
  }

  init(indexOf table: String, root: Int) {
    (kind, name) = ("index", "sqlite_autoindex_\(table)_1")
    (tableName, self.root, sql) = (table, root, nil)
  }

  /// Reads a row; nil if it does not belong to such a list.
  init?(_ record: StoredRecord, _ encoding: DatabaseHeader.TextEncoding) {
    guard record.values.count == 5, let kind = record.value(0, encoding)?.string,
      ["table", "index", "trigger", "view"].contains(kind),
      let name = record.value(1, encoding)?.string,
      let tableName = record.value(2, encoding)?.string, let sql = record.value(4, encoding)
    else { return nil }
    (self.kind, self.name, self.tableName) = (kind, name, tableName)
    root = record.integer(3).flatMap { Int(exactly: $0) } ?? 0
    self.sql = sql.string
    guard sql == .null || self.sql != nil else { return nil }
  }
}

extension DatabasePages {
  /// Reads the readable part of the list of tables.
  ///
  /// - Returns: the rows in their order, and whether they are complete.
  func schemaRows() throws(CofferError) -> (rows: [SchemaRow], isWhole: Bool) {
    var rows: [SchemaRow] = []
    var isWhole = true
    var seen: Set<Int> = []
    var waiting = [1]
    var chains = OverflowChains(self)
    while let number = waiting.popLast() {
      guard seen.insert(number).inserted, let bytes = try page(number) else {
        isWhole = false
        continue
      }
      if let children = TreePage.children(bytes, number: number) {
        waiting += children.reversed()
        continue
      }
      guard let leaf = LeafPage(bytes, number: number) else {
        isWhole = false
        continue
      }
      if leaf.wholeCells == nil { isWhole = false }
      for cell in leaf.cells {
        let record = StoredRecord(try chains.record(of: cell, on: leaf), size: cell.size)
        if let row = record.flatMap({ SchemaRow($0, encoding) }) {
          rows.append(row)
        } else {
          isWhole = false
        }
      }
    }
    return (rows, isWhole)
  }
}
