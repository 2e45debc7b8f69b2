internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Merges the objects of one table: receives the differences between the base and the other store,
/// or every object of the other store without a base.
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
    guard try run.isSelected(object) else { return }
    if run.base != nil, run.identity.isOld(object) {
      throw CofferError(
        .wrongState, path: run.other.store.path, item: try run.other.id(object).description,
        detail: "the base had deleted it, so it is not an earlier state",
        advice: "Give the state that both stores come from.")
    }
    guard let counterpart = try run.identity.counterpart(of: object),
      let here = try run.store.row(counterpart)
    else { return try insert(second, object) { _ in .changed } }
    try requireSameEntity(second, here, object)
    try merge(second, object, into: counterpart, here) { column in
      try run.isStated(column, of: object, second)
    } storeChanged: { _ in
      true
    }
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    let object = try object(second, of: run.other)
    guard try run.isSelected(object) else { return }
    let values = run.values
    try requireSameEntity(second, first, object)
    func isChanged(_ column: Int) throws -> Bool {
      try values.isChanged(first, second, on: .other, column: column, of: object)
    }
    guard let here = try run.store.row(object) else {
      guard try values.columns[table].contains(where: isChanged) else { return }
      try run.noteUse(of: object, on: run.other)
      return try run.settleUse(of: object)
    }
    try merge(second, object, into: object, here, otherChanged: isChanged) { column in
      try values.isChanged(first, here, on: .store, column: column, of: object)
    }
    try noteOrder(first, second, of: object)
  }

  /// Adds an object of the base again that the store deleted.
  func restore(_ object: StoredObject) throws {
    guard let old = try run.base?.row(object), let row = try run.other.row(object) else { return }
    try insert(row, object) { column in
      try run.values.isChanged(old, row, on: .other, column: column, of: object)
        ? .changed : .restored
    }
  }

  func finish() {}

  private func requireSameEntity(
    _ rows: some RowCursor, _ others: some RowCursor, _ object: StoredObject
  ) throws(CofferError) {
    guard rows.row.integer(entityColumn) != others.row.integer(entityColumn) else { return }
    throw CofferError(
      .wrongState, path: run.other.store.path, item: try run.other.id(object).description,
      detail: "its entity differs from the entity of the object that it matches",
      advice: .chooseKey)
  }

  // MARK: One object

  private func insert(
    _ rows: some RowCursor, _ object: StoredObject, link: (Int) throws -> MergeRun.Link
  ) throws {
    guard let entity = rows.row.integer(entityColumn) else { return }
    try run.requireValues(rows, of: object, entity: entity)
    let added = try run.editor.insert(
      entity: entity, into: table, key: run.identity.keptKey(of: object))
    try run.identity.add(added.key, for: object)
    for column in run.values.columns[table] where !rows.row.isNull(column) {
      let link = try link(column)
      if link == .changed, try hasOtherPartner(rows, column, object) {
        try run.noteValues(column, of: object, nil)
        guard run.policy.prefersOther else { continue }
      }
      try take(rows, column, for: added, link)
    }
    for column in run.values.plainDerived[table] where !rows.row.isNull(column) {
      try take(rows, column, for: added, .changed)
    }
    try noteOrder(rows, rows, of: object, isNew: true)
  }

  private func take(
    _ rows: some RowCursor, _ column: Int, for object: StoredObject, _ link: MergeRun.Link
  ) throws {
    if let reference = run.values.reference(column, of: table) {
      return try run.link(reference, of: object, to: rows.row.integer(column), link)
    }
    let value = try rows.value(column)
    if run.editor.externalColumns[table].contains(column) {
      try run.files.take(value, insteadOf: run.store.row(object).map { try $0.value(column) })
    }
    try run.set(value, column: column, of: object, from: rows.row.integer(keyColumn))
  }

  /// Merges an object that both stores have: the other store's into this store's.
  private func merge(
    _ rows: some RowCursor, _ source: StoredObject, into object: StoredObject,
    _ here: StoreRows,
    otherChanged: (Int) throws -> Bool, storeChanged: (Int) throws -> Bool
  ) throws {
    let (values, policy) = (run.values, run.policy)
    var taken: [Int] = []
    var conflicts: [Int] = []
    for column in values.columns[table] where try otherChanged(column) {
      if try isSame(rows, here, column) { continue }
      let isContested = try storeChanged(column) || hasOtherPartner(rows, column, object)
      if isContested { conflicts.append(column) } else { taken.append(column) }
    }
    for column in conflicts { try run.noteValues(column, of: source, object) }
    if !conflicts.isEmpty {
      switch policy {
      case .rollback: return
      case .overwrite:
        for column in try values.columns[table].filter({ try !isSame(rows, here, $0) })
        where try run.base != nil || otherChanged(column) {
          try take(rows, column, for: object, otherChanged(column) ? .changed : .overwritten)
        }
      case .mergeByPropertyObjectTrump: taken += conflicts
      case .mergeByPropertyStoreTrump, .error: break
      }
    }
    for column in taken { try take(rows, column, for: object, .changed) }
    for column in values.plainDerived[table]
    where try !taken.isEmpty && !storeChanged(column) && !isSame(rows, here, column) {
      try take(rows, column, for: object, .changed)
    }
    if run.base == nil || run.identity.isOld(object) == false {
      try noteOrder(rows, rows, of: source, isNew: true)
    }
  }

  /// Whether a property has the same value in both stores.
  private func isSame(_ rows: some RowCursor, _ here: StoreRows, _ column: Int) throws -> Bool {
    guard let destination = run.values.destinationTable(column, of: table),
      let key = rows.row.integer(column)
    else {
      return try run.values.isSame(here, .store, rows, .other, column: column, table: table)
    }
    let target = StoredObject(table: destination, key: key)
    guard let counterpart = try run.identity.counterpart(of: target) else {
      // Both may lead to the same missing object.
      return try key == here.row.integer(column) && !run.other.lookup.contains(target)
        && !run.store.lookup.contains(target)
    }
    return counterpart.key == here.row.integer(column)
  }

  /// Whether the store changed or removed the partner of a one-to-one relationship's new destination.
  private func hasOtherPartner(
    _ rows: some RowCursor, _ column: Int, _ object: StoredObject
  ) throws -> Bool {
    guard let reference = run.values.reference(column, of: table),
      let partner = run.editor.schema.references[reference].partner,
      let destination = run.values.destinationTable(column, of: table),
      let key = rows.row.integer(column),
      let counterpart = try run.identity.counterpart(
        of: StoredObject(table: destination, key: key)),
      try run.store.lookup.contains(counterpart)
    else { return false }
    let side = run.editor.schema.references[partner]
    let now = try run.store.lookup.integer(side.column, of: counterpart)
    if try now != nil && now == run.identity.counterpart(of: object)?.key { return false }
    guard let base = run.base, run.identity.isOld(counterpart) else { return true }
    return try run.store.isChanged(side, of: counterpart, since: base)
  }

  // MARK: Order

  /// Records the owners of ordered relationships in which an object may have another position.
  private func noteOrder(
    _ old: some RowCursor, _ new: some RowCursor, of object: StoredObject, isNew: Bool = false
  ) throws {
    for (index, ordered) in run.values.orderedReferences[table] {
      guard let owner = new.row.integer(ordered.column), let order = ordered.orderColumn else {
        continue
      }
      let isSame =
        old.row.integer(ordered.column) == owner
        && old.row.integer(order) == new.row.integer(order)
      guard try run.isOrderStated(ordered, index, of: object) else { continue }
      if isNew || !isSame { try run.noteList(index, owner: owner) }
    }
  }
}
