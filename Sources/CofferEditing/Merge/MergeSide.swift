internal import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One of the stores of a merge, whose objects can be read by their keys.
final class MergeSide {
  let store: PersistentStore
  let database: SQLiteDatabase
  let source: StoreRowSource
  let lookup: ObjectLookup
  /// The tables that the store was made from, and the values that they state; nil for other stores.
  let tables: TableState?
  let stated: StatedValues?
  private let sources: [TableSource]
  /// By table of objects: its index among the tables of the source.
  private(set) lazy var places: [Int?] = schema.tables.indices.map { table in
    source.shapes.firstIndex { $0.storedName == shape(table).storedName }
  }
  private var single: [Int: StoreRows] = [:]
  private var shown: [Int: StoreRows] = [:]
  private let probes: [Row]

  /// Prepares to read a store within a block of its database.
  init(_ store: PersistentStore, _ database: SQLiteDatabase, madeOf state: TableState? = nil) {
    self.store = store
    tables = state
    self.database = database
    let tables = StoreTables(store, blobLimit: LineLimits.ownEntry)
    source = StoreRowSource(store, database, tables)
    let schema = EditedSchema(store.layout)
    lookup = ObjectLookup(database, schema)
    stated = state.map { [lookup] in StatedValues($0.orders, lookup.statements) }
    sources = schema.tables.compactMap { table in
      tables.sources.first { SchemaName($0.shape.storedName) == SchemaName(table.tableName) }
    }
    probes = sources.map { Row(columnCount: $0.shape.fields.count) }
  }

  /// The tables and relationships.
  var schema: EditedSchema { lookup.schema }

  /// The table of objects with an index in the schema.
  func shape(_ table: Int) -> TableLayout { sources[table].shape }

  /// The row of an object; nil if there is none.
  ///
  /// It is valid until the next call for its table.
  func row(_ object: StoredObject) throws -> StoreRows? { try row(object, &single) }

  /// The same for a text about the object: the row that ``row(_:)`` returned remains valid.
  func shownRow(_ object: StoredObject) throws -> StoreRows? { try row(object, &shown) }

  private func row(_ object: StoredObject, _ single: inout [Int: StoreRows]) throws -> StoreRows? {
    let source = sources[object.table]
    let rows =
      try single[object.table]
      ?? StoreRows(
        TableSource(shape: source.shape, plan: source.plan.singleRow ?? source.plan),
        into: Row(columnCount: source.shape.fields.count), database: database)
    single[object.table] = rows
    guard let column = source.plan.identityColumns.first else { return nil }
    let probe = probes[object.table]
    probe.bind(object.key, at: Int32(clamping: column + 1))
    return try rows.move(to: probe, [column]) ? rows : nil
  }

  /// Passes on the objects of a table that refer to files in its columns of external binary data.
  func forEachUser(
    of files: Set<Name>, _ table: Int, _ columns: [Int],
    _ body: (StoreRows, StoredObject) throws -> Void
  ) throws {
    let shape = shape(table)
    guard !files.isEmpty, !columns.isEmpty,
      let keyColumn = shape.fields.firstIndex(where: { $0.role == .primaryKey })
    else { return }
    let rows = try source.rows(of: shape)
    while try rows.next() {
      let isUser = try columns.contains { column in
        guard rows.row.firstByte(column) == ExternalValue.fileMarker else { return false }
        return try ExternalValue.fileName(rows.value(column)).map { files.contains(Name($0)) }
          ?? false
      }
      guard isUser, let key = rows.row.integer(keyColumn) else { continue }
      try body(rows, StoredObject(table: table, key: key))
    }
  }

  /// The name of an object, by the entity of its row.
  func id(_ object: StoredObject) throws(CofferError) -> ManagedObjectID {
    let table = schema.tables[object.table]
    let name = try lookup.entityNumber(of: object).flatMap { store.layout.numbering.name(of: $0) }
    return ManagedObjectID(entityName: name ?? table.rootEntityName, primaryKey: object.key)
  }

  /// The keys of an ordered relationship's members in order.
  func members(_ ordered: Int, of owner: Int64) throws(CofferError) -> [Int64] {
    try lookup.statements.integers(schema.ordered[ordered].memberStatement, .integer(owner))
  }

  /// Whether the destination of a reference differs from the base.
  ///
  /// A reference that a deletion unset, or whose destination another object took, does not count as
  /// changed.
  func isChanged(
    _ reference: EditedReference, of object: StoredObject, since base: MergeSide
  ) throws(CofferError) -> Bool {
    let before = try base.lookup.integer(reference.column, of: object)
    guard try lookup.integer(reference.column, of: object) == nil, let before else {
      return try lookup.integer(reference.column, of: object) != before
    }
    let destination = StoredObject(table: reference.destinationTable, key: before)
    guard try lookup.contains(destination) else { return false }
    guard let partner = reference.partner else { return true }
    return try lookup.integer(schema.references[partner].column, of: destination) == nil
  }

  /// The counter of primary keys of each table.
  var counters: [Int64] {
    schema.tables.map { table in
      let number = store.layout.numbering.number(of: table.rootEntityName)
      return number.flatMap { store.registry.row($0)?.maximumPrimaryKey.integer } ?? 0
    }
  }
}

/// Whether stores can be merged.
enum MergeCompatibility {
  /// Checks that two stores have the same model, entity numbers, and columns of objects and pairs.
  ///
  /// - Throws: ``CofferError`` with `model-mismatch`, or `unknown-store-model` if only one has a copy of its model; with
  ///   advice.
  static func require(_ store: PersistentStore, _ other: PersistentStore) throws(CofferError) {
    for (one, far) in [(store, other), (other, store)]
    where one.model.source == .inferred && far.model.source != .inferred {
      throw CofferError(
        .unknownStoreModel, path: one.path, detail: "it has no copy of its model",
        advice: .takeModel)
    }
    try StateCompatibility.require(store.model, other.model, path: other.path)
    let (tables, otherTables) = (store.layout.entityTables, other.layout.entityTables)
    guard store.layout.numbering.numbers == other.layout.numbering.numbers,
      tables.map(\.tableName) == otherTables.map(\.tableName)
    else {
      throw StateCompatibility.mismatch(
        other.path, "its entities have other numbers than on the other side")
    }
    for (table, otherTable) in zip(tables, otherTables) where table.columns != otherTable.columns {
      throw StateCompatibility.mismatch(
        other.path, "the columns of its table \(table.tableName) differ")
    }
    guard store.layout.joinTables == other.layout.joinTables else {
      throw StateCompatibility.mismatch(other.path, "the tables of its relationships differ")
    }
  }

  /// Checks that two stores may originate from a base.
  static func require(base: MergeSide, of sides: [MergeSide]) throws(CofferError) {
    for side in sides {
      guard let uuid = base.store.uuid, uuid == side.store.uuid else {
        throw CofferError(
          .wrongState, path: base.store.path,
          detail:
            "its UUID differs from the UUID of \(side.store.path), so it cannot be an earlier state",
          advice: "Merge without a base, or give the state that both stores come from.")
      }
      for (index, counter) in base.counters.enumerated() where counter > side.counters[index] {
        throw CofferError(
          .wrongState, path: base.store.path,
          item: "entity \(base.schema.tables[index].rootEntityName)",
          detail:
            "its counter of primary keys is above the counter of \(side.store.path), so it is "
            + "a later state, or a state of another copy",
          advice: "Give the state that both stores come from.")
      }
    }
  }
}
