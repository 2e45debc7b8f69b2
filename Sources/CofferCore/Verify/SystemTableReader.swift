internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Collects the rows of the system tables from an archive.
final class SystemTableReader {
  /// How many rows of a table are kept; no store has nearly as many.
  private static let mostRows = 5000

  /// What was found so far.
  var administration: SystemTables {
    var tables = found
    if !entityRows.isEmpty { tables.registry = EntityRegistry(rows: entityRows) }
    return tables
  }

  private var found = SystemTables()
  private var entityRows: [EntityRegistry.Row] = []
  /// By the number of a value that is an entry of its own: the row that it belongs to.
  private var rows: [Int: Int] = [:]

  /// Takes a row with its values that have their own entries, if it belongs to a system table.
  func take(_ row: Row, of shape: TableLayout, _ values: [OutOfLineValue]) {
    func column(_ name: String) -> Int? { shape.fields.firstIndex { $0.storedName == name } }
    func value(_ name: String) -> SQLiteValue { column(name).map(row.value) ?? .null }
    switch shape.kind {
    case .metadata:
      guard found.metadata.count < Self.mostRows else { return }
      found.metadata.append(
        StoreMetadata(
          version: value(StoredName.metadataVersion).integer,
          uuid: value(StoredName.storeUUID).string,
          propertyList: value(StoredName.metadata).blob ?? []))
      for value in values { rows[value.number] = found.metadata.count - 1 }
    case .primaryKeys:
      guard entityRows.count < Self.mostRows,
        let number = value(StoredName.entityNumber).integer
      else { return }
      entityRows.append(
        EntityRegistry.Row(
          number: number, name: value(StoredName.entityName).string ?? "",
          superentityNumber: value(StoredName.superentityNumber).integer,
          maximumPrimaryKey: value(StoredName.highestKey)))
    case .modelCache:
      found.hasModelCacheTable = true
      guard found.modelCaches.count < Self.mostRows else { return }
      found.modelCaches.append(value(StoredName.modelCacheContent).blob ?? [])
      for value in values { rows[value.number] = found.modelCaches.count - 1 }
    default: break
    }
  }

  /// Takes the bytes of a value that has its own entry, if it belongs to a system table.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - shape: the table that it belongs to.
  ///   - read: reads the bytes.
  /// - Throws: errors from the closure.
  func take(
    _ value: OutOfLineValue, of shape: TableLayout, read: () throws -> ContiguousArray<UInt8>
  ) throws {
    guard [.metadata, .modelCache].contains(shape.kind),
      let index = rows.removeValue(forKey: value.number)
    else { return }
    let bytes = Array(try read())
    if shape.kind == .metadata {
      let row = found.metadata[index]
      found.metadata[index] = StoreMetadata(
        version: row.version, uuid: row.uuid, propertyList: bytes)
    } else {
      found.modelCaches[index] = bytes
    }
  }
}
