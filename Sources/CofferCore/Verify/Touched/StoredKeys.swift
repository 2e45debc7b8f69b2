internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The keys of a table, looked up in the store.
final class StoredKeys: KeySource {
  let maximum: Int64?
  private let lookup: PreparedStatement
  private let store: PersistentStore
  private let entities: EntityIndices

  /// Prepares to look into a table; to be given up before the store is closed.
  ///
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  init(
    _ table: VerifiedTable, keyColumn: Int, in store: PersistentStore, _ entities: EntityIndices
  ) throws(CofferError) {
    self.store = store
    self.entities = entities
    let name = quotedIdentifier(table.shape.storedName)
    let columns = [keyColumn, table.entityColumn, table.versionColumn].map { column in
      column.map { quotedIdentifier(table.shape.fields[$0].storedName) } ?? "NULL"
    }
    maximum = try store.use { database throws(CofferError) in
      try database.value("SELECT max(\(columns[0])) FROM \(name)")?.integer
    }
    lookup = try store.use { database throws(CofferError) in
      PreparedStatement(
        try database.prepare(
          "SELECT \(columns[1]), \(columns[2]) FROM \(name) NOT INDEXED WHERE \(columns[0]) = ?1"))
    }
  }

  func find(_ key: Int64) throws(CofferError) -> KeyDirectory.Entry? {
    try store.use { _ throws(CofferError) in
      defer { lookup.statement.reset() }
      lookup.statement.bind(key, at: 1)
      guard try lookup.statement.step() else { return nil }
      return KeyDirectory.Entry(
        entity: lookup.statement.integer(0).map(entities.index(of:)) ?? EntityIndices.unknown,
        version: UInt32(clamping: lookup.statement.integer(1) ?? 0))
    }
  }
}
