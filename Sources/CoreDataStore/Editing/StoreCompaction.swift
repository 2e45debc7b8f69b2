internal import CoreDataModel

/// Writes the live data of a store to a fresh database, as SQLite's `VACUUM INTO` does, and can
/// leave out the beginning of its history.
///
/// Rows and index entries are copied as stored bytes and in order, so that nothing is sorted and
/// the new file never exceeds its final size. Only tables that lose rows, or whose rows would get
/// other numbers, are copied value by value.
package struct StoreCompaction {
  private let store: PersistentStore
  private let cut: HistoryCut?
  private static let source = "coffer_source"

  /// Prepares a compaction.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - cut: the part of the history to leave out; nil for none.
  package init(_ store: PersistentStore, without cut: HistoryCut?) {
    self.store = store
    self.cut = cut
  }

  /// Writes everything.
  ///
  /// - Parameters:
  ///   - construction: the empty database, with the settings of the store.
  ///   - step: called before each table with the number of rows so far in tables of objects.
  /// - Throws: ``CofferError``: `refused` if the schema is not one of a store, `store-busy` if the store
  ///   has changed since it was opened, `damaged-store`, and others mapped from SQLite's result code; errors from the
  ///   closure; `CancellationError`.
  package func run(in construction: StoreConstruction, step: (Int) throws -> Void) throws {
    do {
      try write(to: construction, step)
    } catch {
      // A statement that is ended for that says so in its own way.
      try Task<Never, Never>.checkCancellation()
      throw error
    }
  }

  private func write(to construction: StoreConstruction, _ step: (Int) throws -> Void) throws {
    let statements = try statements()
    try construction.create(statements.filter { $0.kind == .table })
    try construction.create(statements.filter { $0.kind == .index })
    let sequences = try store.use { database throws(CofferError) in
      try database.savedSequences()
    }
    let objects = Set(store.layout.entityTables.map { SchemaName($0.tableName) })
    try construction.use { database in
      try store.attach(to: database, as: Self.source)
      var count = 0
      for table in store.catalog.tables {
        if case .virtual = table.kind { continue }
        if SchemaName(table.name) == SchemaName("sqlite_sequence") { continue }
        try step(count)
        try database.run(copying(table))
        if objects.contains(SchemaName(table.name)) { count += database.changeCount }
      }
      try step(count)
      if let sequences { try database.restoreSequences(sequences) }
    }
    try construction.create(
      statements.filter { [.virtualTable, .view, .trigger].contains($0.kind) })
  }

  /// The statements of the schema, which run again.
  private func statements() throws(CofferError) -> [SchemaStatement] {
    let statements = store.catalog.statements
    do {
      try SchemaPolicy.require(statements, place: store.path)
    } catch {
      var refusal = error
      refusal.advice = []
      throw refusal
    }
    return statements
  }

  private func copying(_ table: SchemaTable) -> String {
    let name = quotedIdentifier(table.name)
    let stored = table.columns.filter { !$0.isGenerated && !$0.isHidden }.map(\.name)
    let condition = cut?.condition(for: table.name, in: Self.source)
    let hasNumbers = table.canNameRows && table.rowIDAlias == nil
    let hasIndex = store.catalog.indexes.contains {
      SchemaName($0.tableName) == SchemaName(table.name)
    }
    // https://sqlite.org/src/file/src/insert.c, xferOptimization: `SELECT *` between equal tables copies
    // records as they are; it gives rows new numbers only where neither a column nor an index has them.
    if condition == nil, stored.count == table.columns.count, !hasNumbers || hasIndex {
      return "INSERT INTO main.\(name) SELECT * FROM \(Self.source).\(name)"
    }
    var columns = stored.map(quotedIdentifier)
    if hasNumbers { columns.append(RowPlan.hiddenRowNumber(besides: stored)) }
    let list = columns.joined(separator: ", ")
    let selection = condition.map { " WHERE \($0)" } ?? ""
    return
      "INSERT INTO main.\(name) (\(list)) SELECT \(list) FROM \(Self.source).\(name)\(selection)"
  }
}
