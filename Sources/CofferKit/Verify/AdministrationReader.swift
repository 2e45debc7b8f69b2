internal import CoreDataArchive
internal import CoreDataStore

/// Gathers the rows of the framework's own tables from an archive.
final class AdministrationReader {
  /// What was found so far.
  private(set) var administration = StoreAdministration()
  private var entityRows: [EntityRegistry.Row] = []

  /// Takes a row, if it is one of those tables.
  func take(_ row: RowCells, of shape: TableShape) {
    func column(_ name: String) -> Int? { shape.fields.firstIndex { $0.storedName == name } }
    func value(_ name: String) -> SQLiteValue { column(name).map(row.value) ?? .null }
    switch shape.kind {
    case .metadata:
      administration.metadata.append(
        StoreMetadata(
          version: value(StoredName.metadataVersion).integer,
          uuid: value(StoredName.storeUUID).string,
          propertyList: value(StoredName.metadata).blob ?? []))
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
    default: break
    }
  }

  /// Takes the bytes of a value that is an entry of its own, if it is of one of those tables.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - shape: the table that it belongs to.
  ///   - read: reads the bytes.
  /// - Throws: what the closure throws.
  func take(
    _ value: PendingValue, of shape: TableShape, read: () throws -> ContiguousArray<UInt8>
  ) throws {
    switch shape.kind {
    case .metadata:
      guard let row = administration.metadata.last else { return }
      administration.metadata[administration.metadata.count - 1] = StoreMetadata(
        version: row.version, uuid: row.uuid, propertyList: Array(try read()))
    case .modelCache:
      guard !administration.modelCaches.isEmpty else { return }
      administration.modelCaches[administration.modelCaches.count - 1] = Array(try read())
    default: break
    }
  }
}

extension RowCells {
  /// A copy of a value, for small tables; empty bytes for one that is too large to be lent.
  func value(_ column: Int) -> SQLiteValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column) ?? 0)
    case .real: .real(number(column) ?? 0)
    case .text: unsafe .text(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case .blob: unsafe .blob(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }
}
