package import CoreDataModel

/// The beginning of a persistent history, up to a transaction, which is to go.
///
/// The remaining transactions are consecutive: a reader that starts at any of them misses none. The
/// counters of the framework's own entities stay, so that no number is used again. Source:
/// store-format, section 7.
package struct HistoryCut: Sendable {
  /// The beginning of the history afterwards.
  package enum Limit: Sendable, Hashable {
    /// The first transaction that is not older than a time in seconds since 2001.
    case time(Double)
    /// The transaction of that number, or the first one after it.
    case transaction(Int64)
  }

  /// The number of transactions that go.
  package let transactionCount: Int
  /// The number of changes that go.
  package let changeCount: Int
  /// The size in bytes of the removed rows, including indexes, estimated from their share of all
  /// rows; nil if this SQLite cannot report the size of a table.
  package let byteCount: Int?
  /// The last transaction that goes.
  private let last: Int64
  /// The columns of transactions that refer to texts; nil if there may be others.
  private let textColumns: [String]?

  /// Finds the part to remove; nil if there is none.
  ///
  /// - Throws: ``CofferError``: `refused` if the history has an unknown form; mapped from SQLite's result code.
  package init?(
    before limit: Limit, in store: PersistentStore, _ database: SQLiteDatabase
  ) throws(CofferError) {
    let catalog = store.catalog
    guard catalog.table(StoredName.changes) != nil || catalog.table(StoredName.transactions) != nil
    else { return nil }
    try Self.requireKnownForm(catalog, store.path)
    guard let last = try Self.last(before: limit, database) else { return nil }
    self.last = last
    textColumns = Self.textColumns(catalog)
    transactionCount = try Self.count(StoredName.transactions, Self.oldTransactions, last, database)
    changeCount = try Self.count(StoredName.changes, Self.oldChanges, last, database)
    let sizes = try [
      Self.size(StoredName.transactions, transactionCount, catalog, database),
      Self.size(StoredName.changes, changeCount, catalog, database),
    ]
    let known = sizes.compactMap(\.self)
    byteCount = known.count == sizes.count ? known.reduce(0, +) : nil
  }

  /// The rows of a table that stay, as an SQL condition; nil if all stay.
  func condition(for table: String, in schema: String) -> String? {
    switch table {
    case StoredName.transactions: return "NOT (\(Self.oldTransactions) <= \(last))"
    case StoredName.changes: return "NOT (\(Self.oldChanges) <= \(last))"
    case StoredName.transactionStrings:
      guard let textColumns else { return nil }
      let uses = textColumns.map {
        "SELECT \($0) FROM \(schema).\(StoredName.transactions) WHERE \(StoredName.primaryKey) > \(last)"
      }
      return "\(StoredName.primaryKey) IN (\(uses.joined(separator: " UNION ")))"
    default: return nil
    }
  }

  private static let oldTransactions = StoredName.primaryKey
  /// A change that names no transaction stays: it is a defect of the data.
  private static let oldChanges =
    "typeof(\(StoredName.changeTransaction)) = 'integer' AND \(StoredName.changeTransaction)"

  private static func requireKnownForm(
    _ catalog: SchemaCatalog, _ path: String
  ) throws(CofferError) {
    let needed = [
      (StoredName.changes, StoredName.changeTransaction),
      (StoredName.transactions, StoredName.transactionTime),
    ]
    for (name, column) in needed {
      guard let table = catalog.table(name), table.column(column) != nil,
        table.rowIDAlias.map(SchemaName.init) == SchemaName(StoredName.primaryKey)
      else {
        throw CofferError(
          .refused, path: path,
          detail: "its persistent history has an unknown form, so that it cannot be cut")
      }
    }
  }

  private static func last(
    before limit: Limit, _ database: SQLiteDatabase
  ) throws(CofferError) -> Int64? {
    let (key, time) = (StoredName.primaryKey, StoredName.transactionTime)
    let transactions = "SELECT max(\(key)) FROM \(StoredName.transactions)"
    switch limit {
    case .transaction(let number):
      return try database.value("\(transactions) WHERE \(key) < ?", [.integer(number)])?.integer
    case .time(let seconds):
      let kept =
        "SELECT min(\(key)) FROM \(StoredName.transactions) "
        + "WHERE NOT (typeof(\(time)) IN ('integer', 'real') AND \(time) < ?1)"
      return try database.value(
        "\(transactions) WHERE \(key) < ifnull((\(kept)), \(key) + 1)", [.real(seconds)])?.integer
    }
  }

  /// Frameworks of other versions may have more of them, which nothing here would know.
  private static func textColumns(_ catalog: SchemaCatalog) -> [String]? {
    guard let table = catalog.table(StoredName.transactions),
      catalog.table(StoredName.transactionStrings)?.rowIDAlias.map(SchemaName.init)
        == SchemaName(StoredName.primaryKey)
    else { return nil }
    let known = StoredName.transactionTexts.map(\.column)
    let found = table.columns.map(\.name).filter { $0.uppercased().hasSuffix("TS") }
    guard !found.isEmpty, found.allSatisfy({ known.contains($0) }) else { return nil }
    return found
  }

  private static func count(
    _ table: String, _ number: String, _ last: Int64, _ database: SQLiteDatabase
  ) throws(CofferError) -> Int {
    let count = try database.value(
      "SELECT count(*) FROM \(table) WHERE \(number) <= ?", [.integer(last)])
    return Int(clamping: count?.integer ?? 0)
  }

  /// The size of some rows of a table with their share of its indexes.
  private static func size(
    _ table: String, _ count: Int, _ catalog: SchemaCatalog, _ database: SQLiteDatabase
  ) throws(CofferError) -> Int? {
    let all = try RowCounter(database).rows(of: table)
    guard all > 0 else { return 0 }
    let trees =
      [table]
      + catalog.indexes.filter { SchemaName($0.tableName) == SchemaName(table) }.map(\.name)
    guard let size = try PageUsage.byteCount(of: trees, in: database) else { return nil }
    return Int(Double(size) * Double(count) / Double(all))
  }
}
