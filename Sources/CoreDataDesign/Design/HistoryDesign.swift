internal import CoreDataModel
internal import CoreDataStore

/// The tables of the persistent history in a fresh store.
///
/// Source: store-format, section 7.
struct HistoryDesign {
  let tables: [SchemaStatement]
  let indexes: [SchemaStatement]

  init(_ model: ManagedObjectModel) {
    let key = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    let tombstones = (0..<Self.tombstoneCount(model)).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let bodies = [
      StoredName.changes:
        "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
        + "ZCOLUMNS BLOB\(tombstones)",
      StoredName.transactions:
        "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, "
        + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
        + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB",
      StoredName.transactionStrings: "ZNAME VARCHAR",
    ]
    tables = [StoredName.changes, StoredName.transactions, StoredName.transactionStrings].map {
      SchemaStatement(
        kind: .table, name: $0, tableName: $0,
        sql: "CREATE TABLE \($0) ( \(key), \(bodies[$0] ?? "") )")
    }
    indexes =
      ([(StoredName.changes, StoredName.changeTransaction)]
      + StoredName.transactionTexts.map { (StoredName.transactions, $0.column) })
      .map { Self.index("\($0)_\($1)_INDEX", $0, "(\($1))") }
      + [
        Self.index(
          "Z_TRANSACTION_TransactionAuthorIndex", StoredName.transactions,
          "(ZAUTHOR COLLATE BINARY ASC)"),
        Self.index(
          "Z_TRANSACTION_TransactionTimestampIndex", StoredName.transactions,
          "(ZTIMESTAMP COLLATE BINARY ASC)"),
        Self.index(
          "Z_TRANSACTIONSTRING_UNIQUE_NAME", StoredName.transactionStrings,
          "(ZNAME COLLATE BINARY ASC)", isUnique: true),
      ]
  }

  /// The maximum number of an entity's attributes whose values a deletion keeps.
  private static func tombstoneCount(_ model: ManagedObjectModel) -> Int {
    model.entities.map { entity in
      model.lineage(of: entity.name).reduce(0) { count, declarer in
        count + declarer.attributes.count(where: \.preservesValueInHistoryOnDeletion)
      }
    }.max() ?? 0
  }

  private static func index(
    _ name: String, _ table: String, _ columns: String, isUnique: Bool = false
  ) -> SchemaStatement {
    SchemaStatement(
      kind: .index, name: name, tableName: table,
      sql: "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) \(columns)")
  }
}
