internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Collects the rows of the system tables from an archive.
final class SystemTableReader {
  /// The system tables found so far.
  private(set) var administration = SystemTables()
  private var entityRows: [EntityRegistry.Row] = []
  /// By the name of a value that is an entry of its own: the row that it belongs to.
  private var rows: [ExactString: Int] = [:]

  /// Takes a row with its values that have their own entries, if it belongs to a system table.
  func take(_ row: Row, of shape: TableLayout, _ values: [OutOfLineValue]) {
    func column(_ name: String) -> Int? { shape.fields.firstIndex { $0.storedName == name } }
    func value(_ name: String) -> SQLiteValue { column(name).map(row.value) ?? .null }
    switch shape.kind {
    case .metadata:
      administration.metadata.append(
        StoreMetadata(
          version: value(StoredName.metadataVersion).integer,
          uuid: value(StoredName.storeUUID).string,
          propertyList: value(StoredName.metadata).blob ?? []))
      for value in values { rows[value.name] = administration.metadata.count - 1 }
    case .primaryKeys:
      guard let number = value(StoredName.entityNumber).integer else { return }
      entityRows.append(
        EntityRegistry.Row(
          number: number, name: value(StoredName.entityName).string ?? "",
          superentityNumber: value(StoredName.superentityNumber).integer,
          maximumPrimaryKey: value(StoredName.highestKey)))
      administration.registry = EntityRegistry(rows: entityRows)
    case .modelCache:
      administration.hasModelCacheTable = true
      administration.modelCaches.append(value(StoredName.modelCacheContent).blob ?? [])
      for value in values { rows[value.name] = administration.modelCaches.count - 1 }
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
      let index = rows.removeValue(forKey: ExactString(value.name))
    else { return }
    let bytes = Array(try read())
    if shape.kind == .metadata {
      let row = administration.metadata[index]
      administration.metadata[index] = StoreMetadata(
        version: row.version, uuid: row.uuid, propertyList: bytes)
    } else {
      administration.modelCaches[index] = bytes
    }
  }
}
