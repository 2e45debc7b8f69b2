internal import CoreDataLayout
internal import CoreDataModel

/// What a condition is asked in: the store that has the objects to which the one it is asked of leads.
///
/// An archive has no objects that can be read one by one: conditions that need them are not asked there.
final class ConditionScope {
  private let source: StoreRowSource?
  /// The tables by the names of the entities; nil for entities without one.
  private var tables: [ExactString: KeyedObjects?] = [:]

  /// - Parameter source: the source of the objects.
  init(_ source: some RowSource) { self.source = source as? StoreRowSource }

  /// The object of a key; nil where there is none.
  ///
  /// It is valid until the next call for the same tree of entities.
  ///
  /// - Throws: `CofferError` where its table cannot be read.
  func object(_ key: Int64, of entity: String) throws -> ObjectRow? {
    if let table = tables[entity] { return try table?.object(key) }
    let table = try table(of: entity)
    tables[entity] = .some(table)
    return try table?.object(key)
  }

  private func table(of entity: String) throws -> KeyedObjects? {
    guard let source, let shape = source.table(of: entity),
      let rows = try source.singleRows(of: shape)
    else { return nil }
    return KeyedObjects(rows, ObjectColumns(shape, source.entities))
  }
}

/// The objects of a table, one by one by their keys.
private final class KeyedObjects {
  private let rows: StoreRows
  private let columns: ObjectColumns
  /// The last key that was asked for, and its object.
  private var last: (key: Int64, object: ObjectRow?)?

  init(_ rows: StoreRows, _ columns: ObjectColumns) {
    self.rows = rows
    self.columns = columns
  }

  /// The object of a key, valid until the next call.
  func object(_ key: Int64) throws -> ObjectRow? {
    if let last, last.key == key { return last.object }
    last = nil
    let object = try rows.move(to: key) ? columns.object(rows) : nil
    last = (key, object)
    return object
  }
}
