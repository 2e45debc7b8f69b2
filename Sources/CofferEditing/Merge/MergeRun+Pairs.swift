internal import CofferComparison
internal import CofferCore
internal import CofferTables
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
    guard let base, let compared, let old = shape(base) else {
      let rows = try other.source.rows(of: table)
      while try rows.next() { try handler.add(rows) }
      return
    }
    let rule = KeyRule(old, schema: base.source.schema)
    guard !rule.columns.isEmpty else {
      throw CofferError(
        .refused, path: base.store.path, item: "table \(table.storedName)",
        detail: "its rows have no key to identify them")
    }
    var merge = try TableMerge(
      (compared.base.rows(of: old), rule),
      (compared.other.rows(of: table), KeyRule(table, schema: other.source.schema)),
      RowComparison(TableMatching.Match(first: old, second: table), base.source, other.source))
    try merge.run(&handler) { _ in try Task<Never, Never>.checkCancellation() }
  }

  /// Adds a pair of the other store to the copy, once all objects are inserted.
  func pair(_ pairs: Int, _ source: Int64, _ destination: Int64) throws(CofferError) {
    try editor.statements.run(
      "INSERT OR IGNORE INTO \(Self.pairs) VALUES (?, ?, ?)", .integer(Int64(pairs)),
      .integer(source), .integer(destination))
  }

  /// Adds the pairs whose objects exist.
  func insertPairs() throws {
    try forEachPair { pairs, source, destination in
      guard let one = try identity.present(source), let other = try identity.present(destination)
      else { return }
      try editor.insertPair(one.key, other.key, into: pairs)
      try noteLists(pairs, source, destination)
    }
  }

  /// Passes on the pairs that wait: the number of the relationship, and the objects in the other store.
  func forEachPair(_ body: (Int, StoredObject, StoredObject) throws -> Void) throws {
    try editor.statements.forEachRow(
      "SELECT rowid, p, s, d FROM \(Self.pairs) WHERE rowid > ?1 ORDER BY rowid", keys: 1
    ) { row in
      guard let pairs = row[1].integer, let source = row[2].integer,
        let destination = row[3].integer
      else { return }
      let ends = editor.schema.pairs[Int(pairs)].ends
      try body(
        Int(pairs), StoredObject(table: ends[0].table, key: source),
        StoredObject(table: ends[1].table, key: destination))
    }
  }

  /// Notes that the positions of the objects of a pair may have to change.
  fileprivate func noteLists(
    _ pairs: Int, _ source: StoredObject, _ destination: StoredObject
  ) throws(CofferError) {
    for (end, owner) in [source, destination].enumerated() {
      if let stated = other.stated, !stated.orders.pairs.contains([pairs, end]) { continue }
      if let order = editor.schema.orderOfPairs[[pairs, end]] {
        try noteList(order, owner: owner.key)
      }
    }
  }

  /// Notes that the order of an ordered relationship may have to change.
  func noteList(_ ordered: Int, owner: Int64) throws(CofferError) {
    try editor.statements.run(
      "INSERT OR IGNORE INTO \(Self.lists) VALUES (?, ?)", .integer(Int64(ordered)),
      .integer(owner))
  }

  func isGone(_ object: StoredObject) throws(CofferError) -> Bool {
    try editor.statements.contains(object, in: Self.gone)
  }
}

/// Merges the pairs of one relationship: receives the differences between the base and the other store,
/// or every pair of the other store without a base.
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

  /// The objects of a pair; nil if neither of them is merged.
  private func selectedEnds(
    _ rows: some RowCursor
  ) throws(CofferError) -> (StoredObject, StoredObject)? {
    guard let ends = ends(rows) else { return nil }
    if try run.isSelected(ends.0) { return ends }
    return try run.isSelected(ends.1) ? ends : nil
  }

  func remove(_ first: some RowCursor) throws {
    guard let (source, destination) = try selectedEnds(first) else { return }
    // Pairs that a deletion removed there are removed by the deletion here.
    if try run.isGone(source) || run.isGone(destination) { return }
    try run.editor.removePair(source.key, destination.key, from: pairs)
    // If the relationship is its own inverse, the objects are related as long as one direction is stored.
    let found = run.editor.schema.pairs[pairs]
    guard found.isReflexive,
      try !run.other.lookup.hasPair(destination.key, source.key, in: found)
    else { return }
    try run.editor.removePair(destination.key, source.key, from: pairs)
  }

  func add(_ second: some RowCursor) throws {
    guard let (source, destination) = try selectedEnds(second) else { return }
    try run.pair(pairs, source.key, destination.key)
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    guard let (source, destination) = try selectedEnds(second) else { return }
    try run.noteLists(pairs, source, destination)
  }

  func finish() {}
}
