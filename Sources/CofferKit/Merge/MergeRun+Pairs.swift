internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

extension MergeRun {
  /// Merges a relationship that is to-many on both sides, as a set of pairs.
  func mergePairs(_ pairs: Int) throws {
    let name = SchemaName(editor.schema.pairs[pairs].name)
    func shape(_ side: MergeSide) -> TableLayout? {
      side.source.shapes.first { SchemaName($0.storedName) == name }
    }
    guard let table = shape(other) else { return }
    var handler = try MergePairs(self, pairs, table)
    guard let base, let old = shape(base) else {
      let rows = try other.source.rows(of: table)
      while try rows.next() { try handler.add(rows) }
      return
    }
    let rule = KeyRule(old, schema: base.source.schema)
    guard !rule.columns.isEmpty else {
      throw CofferError(
        .refused, path: base.store.path, item: "table \(table.storedName)",
        detail: "its rows have no key, so they cannot be told apart")
    }
    let compared = RowComparison(
      TableMatching.Match(first: old, second: table), base.source, other.source)
    var merge = try TableMerge(
      (base.source.rows(of: old), rule),
      (other.source.rows(of: table), KeyRule(table, schema: other.source.schema)), compared)
    try merge.run(&handler) { _ in try Task<Never, Never>.checkCancellation() }
  }

  /// Notes that the order of an ordered relationship may have to change.
  ///
  /// - Parameters:
  ///   - ordered: the index of the relationship in the schema.
  ///   - owner: the key of the owner in the other store.
  /// - Throws: ``CofferError`` as SQLite says.
  func noteList(_ ordered: Int, owner: Int64) throws(CofferError) {
    try editor.statements.run(
      "INSERT OR IGNORE INTO \(Self.lists) VALUES (?, ?)", .integer(Int64(ordered)),
      .integer(owner))
  }

  /// Whether the other store deleted an object of the base.
  func isGone(_ object: StoredObject) throws(CofferError) -> Bool {
    try editor.statements.row(
      "SELECT 1 FROM \(Self.gone) WHERE t = ? AND k = ?", .integer(Int64(object.table)),
      .integer(object.key)) != nil
  }
}

/// Merges the pairs of one relationship: receives what differs between the base and the other store, or
/// every pair of the other store where there is no base.
private struct MergePairs: RowHandler {
  private let run: MergeRun
  private let pairs: Int
  private let columns: (Int, Int)
  private let tables: (Int, Int)

  init(_ run: MergeRun, _ pairs: Int, _ shape: TableLayout) throws(CofferError) {
    self.run = run
    self.pairs = pairs
    guard let source = shape.fields.firstIndex(where: { $0.role == .source }),
      let destination = shape.fields.firstIndex(where: { $0.role == .destination })
    else {
      throw CofferError(
        .refused, path: run.other.store.path, item: "table \(shape.storedName)",
        detail: "its columns are unknown")
    }
    columns = (source, destination)
    let ends = run.editor.schema.pairs[pairs].ends
    tables = (ends[0].table, ends[1].table)
  }

  private func ends(_ rows: some RowCursor) -> (StoredObject, StoredObject)? {
    guard let source = rows.row.integer(columns.0), let destination = rows.row.integer(columns.1)
    else { return nil }
    return (
      StoredObject(table: tables.0, key: source), StoredObject(table: tables.1, key: destination)
    )
  }

  func remove(_ first: some RowCursor) throws {
    guard let (source, destination) = ends(first) else { return }
    // What a deletion removed, a deletion removes here.
    if try run.isGone(source) || run.isGone(destination) { return }
    // A pair of a relationship that is its own inverse may have turned.
    let found = run.editor.schema.pairs[pairs]
    if found.isReflexive,
      try run.other.lookup.hasPair(source.key, destination.key, in: found)
    {
      return
    }
    try run.editor.removePair(source.key, destination.key, from: pairs)
  }

  func add(_ second: some RowCursor) throws {
    guard let (source, destination) = ends(second) else { return }
    guard let one = try run.identity.present(source) else {
      return try noteMissing(source, of: 1)
    }
    guard let other = try run.identity.present(destination) else {
      return try noteMissing(destination, of: 0)
    }
    try run.editor.insertPair(one.key, other.key, into: pairs)
    try noteLists(source, destination)
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    guard let (source, destination) = ends(second) else { return }
    try noteLists(source, destination)
  }

  func finish() {}

  private func noteMissing(_ object: StoredObject, of end: Int) throws {
    // A pair with an object that the other store does not have either says nothing.
    guard try run.other.lookup.contains(object) else { return }
    let property = run.editor.schema.pairs[pairs].ends[end].property.property
    try run.note(.missingDestination, object, on: run.other, property)
  }

  private func noteLists(_ source: StoredObject, _ destination: StoredObject) throws(CofferError) {
    for (end, owner) in [source, destination].enumerated() {
      if let order = run.editor.schema.orderOfPairs[[pairs, end]] {
        try run.noteList(order, owner: owner.key)
      }
    }
  }
}
