internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Reconstructs a state of a store from a change file: the store, with everything that the changes
/// cover set to its state after them, or before them if they are read in reverse.
///
/// Objects that the changes add or delete are removed first, with all references to them: the store
/// may have another object with the key of an added one, and references to a deleted one were added
/// later.
struct RecalledState {
  private let file: ChangesFile
  private let store: PersistentStore
  /// The first object that the store does not have, and for which the changes record only some values;
  /// nil for none.
  private(set) var partialObject: String?
  /// The lowest keys of the objects that the changes add, by root entity.
  private(set) var lowestAdded: [Name: Int64] = [:]

  /// - Throws: ``CofferError``: `irreversible-changes` for changes without the previous values,
  ///   `wrong-state` if the changes are of another store, `model-mismatch` if it has another model
  ///   or schema now.
  init(_ file: ChangesFile, in store: PersistentStore) throws {
    self.file = file
    self.store = store
    guard file.states.isReversible else { throw CofferError.irreversibleChanges(path: file.path) }
    guard let uuid = store.uuid, uuid == file.documents.manifest.storeUUID else {
      throw CofferError(
        .wrongState, path: file.path,
        detail: "it contains changes of a store with another UUID than \(store.path)",
        advice: "Give the state that the changes begin with, or end with, as another store.")
    }
    try store.use { database in
      try StateCompatibility.require(
        StoreRowSource(store, database, blobLimit: LineLimits.ownEntry), file.documents,
        path: store.path)
    }
  }

  mutating func write(to path: String) throws {
    let files = try EditedFiles(of: store, for: StorePaths(store: path), .link)
    let editor = try StoreEditor(copying: store, to: path)
    do {
      try editor.use { database in
        try forget(database)
        try recallRows(database)
      }
      for change in file.files {
        try Task<Never, Never>.checkCancellation()
        try files.replace(change, from: file)
      }
      try files.finish()
      try editor.finish(nil)
    } catch {
      editor.abandon()
      throw error
    }
  }

  private mutating func forget(_ database: SQLiteDatabase) throws {
    let objects = try ForgottenObjects(database, of: store)
    for shape in file.documents.layout.tables where shape.kind == .entity {
      guard let entity = shape.entityName,
        let column = shape.fields.firstIndex(where: { $0.role == .primaryKey })
      else { continue }
      var handler = ForgettingHandler(objects: objects, entity: entity, keyColumn: column)
      try file.read(shape, &handler)
      lowestAdded[entity] = handler.lowestAdded
    }
    try objects.complete()
  }

  private mutating func recallRows(_ database: SQLiteDatabase) throws {
    let tables = StoreTables(store)
    for shape in file.documents.layout.tables
    where [.entity, .relationship, .primaryKeys, .unknown].contains(shape.kind) {
      guard let own = tables.source(of: shape) else { continue }
      var handler = try TableEditing(
        own, tables.entities, in: database, place: store.path, for: .recall)
      try file.read(shape, &handler)
      if shape.kind == .entity { partialObject = partialObject ?? handler.partialRow }
    }
  }
}

/// Removes the objects that are added or deleted.
private struct ForgettingHandler: RowHandler {
  let objects: ForgottenObjects
  let entity: Name
  let keyColumn: Int
  /// The lowest key of an object that is added; nil if there is none.
  var lowestAdded: Int64?

  func remove(_ first: some RowCursor) throws {
    if let key = first.row.integer(keyColumn) { try objects.add(key, of: entity) }
  }

  mutating func add(_ second: some RowCursor) throws {
    guard let key = second.row.integer(keyColumn) else { return }
    try objects.add(key, of: entity)
    lowestAdded = min(lowestAdded ?? key, key)
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) {}
  func finish() {}
}
