internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Merges the objects of one table: receives what differs between the base and the other store, or
/// every object of the other store where there is no base.
struct MergeObjects: RowHandler {
  private let run: MergeRun
  private let table: Int
  private let keyColumn: Int
  private let entityColumn: Int

  init(_ run: MergeRun, _ table: Int) {
    self.run = run
    self.table = table
    let columns = run.editor.schema.tables[table].columns
    keyColumn = columns.firstIndex { $0.role == .primaryKey } ?? 0
    entityColumn = columns.firstIndex { $0.role == .entityNumber } ?? 0
  }

  private func object(_ rows: some RowCursor, of side: MergeSide) throws(CofferError)
    -> StoredObject
  {
    guard let key = rows.row.integer(keyColumn) else {
      throw CofferError(
        .damagedStore, path: side.store.path, item: "table \(side.shape(table).storedName)",
        detail: "an object has no primary key")
    }
    return StoredObject(table: table, key: key)
  }

  func remove(_ first: some RowCursor) throws {
    let object = try object(first, of: run.store)
    try run.editor.statements.run(
      "INSERT OR IGNORE INTO \(MergeRun.gone) VALUES (?, ?)", .integer(Int64(table)),
      .integer(object.key))
  }

  func add(_ second: some RowCursor) throws {
    let object = try object(second, of: run.other)
    if run.base != nil, run.identity.isOld(object) {
      throw CofferError(
        .wrongState, path: run.other.store.path, item: try run.other.id(object).description,
        detail: "the base had deleted it, so it is no earlier state",
        advice: "Give the state that both stores come from.")
    }
    guard let counterpart = try run.identity.counterpart(of: object),
      let here = try run.store.row(counterpart)
    else { return try insert(second, object) }
    try requireSameEntity(second, here, object)
    try merge(second, into: counterpart, here) { _ in
      true
    } storeChanged: { _ in
      true
    }
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    let object = try object(second, of: run.other)
    let values = run.values
    try requireSameEntity(second, first, object)
    guard let here = try run.store.row(object) else {
      guard
        try values.columns[table].contains(where: {
          try !values.isSame(first, .base, second, .other, column: $0, table: table)
        })
      else { return }
      try run.note(.deletedHere, object, on: run.other)
      if run.options.policy.prefersOther { try insert(second, object) }
      return
    }
    try merge(second, into: object, here) { column in
      guard try !values.isSame(first, .base, second, .other, column: column, table: table) else {
        return false
      }
      // What a deletion unset, a deletion unsets here.
      guard second.row.isNull(column), let key = first.row.integer(column),
        let destination = values.destinationTable(column, of: table)
      else { return true }
      return try run.other.lookup.contains(StoredObject(table: destination, key: key))
    } storeChanged: { column in
      try !values.isSame(first, .base, here, .store, column: column, table: table)
    }
    try noteOrder(first, second)
  }

  func finish() {}

  private func requireSameEntity(
    _ rows: some RowCursor, _ others: some RowCursor, _ object: StoredObject
  ) throws(CofferError) {
    guard rows.row.integer(entityColumn) != others.row.integer(entityColumn) else { return }
    throw CofferError(
      .wrongState, path: run.other.store.path, item: try run.other.id(object).description,
      detail: "it is of another entity than the object that it is matched with",
      advice: .chooseKey)
  }

  // MARK: One object

  private func insert(_ rows: some RowCursor, _ object: StoredObject) throws {
    guard let entity = rows.row.integer(entityColumn) else { return }
    let added = try run.editor.insert(entity: entity, into: table)
    try run.identity.add(added.key, for: object)
    for column in run.values.columns[table] where !rows.row.isNull(column) {
      try take(rows, column, for: added)
    }
    for column in run.values.plainDerived[table] where !rows.row.isNull(column) {
      try take(rows, column, for: added)
    }
    try noteOrder(rows, rows, isNew: true)
  }

  private func take(_ rows: some RowCursor, _ column: Int, for object: StoredObject) throws {
    if let reference = run.values.reference(column, of: table) {
      return try run.link(reference, of: object, to: rows.row.integer(column))
    }
    let value = try run.values.value(rows, column)
    if run.editor.externalColumns[table].contains(column) { try run.files.take(value) }
    try run.set(value, column: column, of: object)
  }

  /// Merges an object that both stores have.
  private func merge(
    _ rows: some RowCursor, into object: StoredObject, _ here: StoreRows,
    otherChanged: (Int) throws -> Bool, storeChanged: (Int) throws -> Bool
  ) throws {
    let (values, policy) = (run.values, run.options.policy)
    var taken: [Int] = []
    var conflicts: [Int] = []
    for column in values.columns[table] where try otherChanged(column) {
      if try isSame(rows, here, column) { continue }
      let isContested = try storeChanged(column) || hasOtherPartner(rows, here, column, object)
      if isContested { conflicts.append(column) } else { taken.append(column) }
    }
    for column in conflicts {
      try run.note(
        .property, object, on: run.store, run.store.shape(table).propertyName(column))
    }
    if !conflicts.isEmpty {
      switch policy {
      case .rollback: return
      case .overwrite: taken = try values.columns[table].filter { try !isSame(rows, here, $0) }
      case .mergeByPropertyObjectTrump: taken += conflicts
      case .mergeByPropertyStoreTrump, .error: break
      }
    }
    for column in taken { try take(rows, column, for: object) }
    for column in values.plainDerived[table]
    where try !taken.isEmpty && !storeChanged(column) && !isSame(rows, here, column) {
      try take(rows, column, for: object)
    }
    if run.base == nil || run.identity.isOld(object) == false {
      try noteOrder(rows, rows, isNew: true)
    }
  }

  /// Whether a property has the same value in both stores.
  private func isSame(_ rows: some RowCursor, _ here: StoreRows, _ column: Int) throws -> Bool {
    guard let destination = run.values.destinationTable(column, of: table),
      let key = rows.row.integer(column)
    else {
      return try run.values.isSame(
        here, .store, rows, .other, column: column, table: table)
    }
    let counterpart = try run.identity.counterpart(of: StoredObject(table: destination, key: key))
    return counterpart?.key == here.row.integer(column) && counterpart != nil
  }

  /// Whether the new destination of a relationship that is to-one on both sides has got another
  /// partner in the store.
  private func hasOtherPartner(
    _ rows: some RowCursor, _ here: StoreRows, _ column: Int, _ object: StoredObject
  ) throws -> Bool {
    guard let reference = run.values.reference(column, of: table),
      let partner = run.editor.schema.references[reference].partner,
      let destination = run.values.destinationTable(column, of: table),
      let key = rows.row.integer(column),
      let counterpart = try run.identity.counterpart(
        of: StoredObject(table: destination, key: key))
    else { return false }
    let side = run.editor.schema.references[partner].column
    guard let now = try run.store.lookup.integer(side, of: counterpart), now != object.key else {
      return false
    }
    guard let base = run.base, run.identity.isOld(counterpart) else { return true }
    return try base.lookup.integer(side, of: counterpart) != now
  }

  // MARK: Order

  /// Notes the owners of ordered relationships in whose order an object may have another place.
  private func noteOrder(
    _ old: some RowCursor, _ new: some RowCursor, isNew: Bool = false
  ) throws {
    for (index, ordered) in run.values.orderedReferences[table] {
      guard let owner = new.row.integer(ordered.column), let order = ordered.orderColumn else {
        continue
      }
      let isSame =
        old.row.integer(ordered.column) == owner
        && old.row.integer(order) == new.row.integer(order)
      if isNew || !isSame { try run.noteList(index, owner: owner) }
    }
  }
}
