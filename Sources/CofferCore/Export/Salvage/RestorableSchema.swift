internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The schema and the tables of an archive that can be restored: an import is rehearsed before
/// anything is written.
struct RestorableSchema {
  /// A change that a salvage makes to a statement that cannot be restored.
  struct Change {
    enum Kind {
      /// It is left out; of a table, the rows too.
      case leftOut
      /// It keeps its columns and rows, and loses its conditions.
      case simplified
      /// A table that every store has is added without rows.
      case added
    }

    var kind: Kind
    /// The statement with the reason, as a clause.
    var detail: String
    /// The table that is left out; nil for anything else.
    var table: TableLayout?
  }

  private(set) var statements: [SchemaStatement]
  /// The tables whose rows are exported.
  private(set) var tables: StoreTables
  /// The differences from the store; empty for one that is not salvaged.
  private(set) var changes: [Change] = []

  private let store: PersistentStore
  private let leavesOutUnusual: Bool
  private var simplified: Set<SchemaName> = []

  /// Rehearses an import of a store.
  ///
  /// Without a salvage, nothing may be left out. A table is known if an archive with the same schema has the
  /// same rows of it.
  ///
  /// - Throws: `CofferError`: `damaged-store` for a schema or rows that cannot be restored, unless
  ///   they are salvaged, and as the database; `CancellationError`.
  init(
    _ store: PersistentStore, _ database: SQLiteDatabase, _ salvage: StoreSalvage?,
    leavesOutUnusual: Bool = false, isKnown: (TableSource) -> Bool
  ) throws {
    self.store = store
    self.leavesOutUnusual = leavesOutUnusual
    tables = StoreTables(store)
    statements = store.catalog.statements
    guard let salvage else {
      try require(database, isKnown: isKnown)
      return
    }
    addAdministration()
    while true {
      let refusals = try rehearse { rehearsal, source in
        do {
          try salvage.use(source.shape, of: database) { database in
            try rehearsal.tryRows(of: source.plan, from: database, isOrdered: false)
          }
        } catch let error as CofferError where error.isDamage {
          // Its rows come from an index, in the order of their keys.
        }
      }
      if refusals.isEmpty { break }
      for refusal in refusals { change(refusal) }
    }
    tables.keepFirstOfEachName()
  }

  /// Tries the schema and the rows of each table; returns the parts that cannot be restored.
  private func rehearse(
    _ body: (StoreRehearsal, TableSource) throws -> Void
  ) throws -> [StoreRehearsal.Refusal] {
    let rehearsal = try StoreRehearsal(
      statements, settings: store.settings, bounds: .ofArchives, place: store.path)
    for table in StoreBuilder.indispensable {
      try rehearsal.refuseConditions(ofTable: table.statement.name)
    }
    for source in tables.sources { try body(rehearsal, source) }
    if leavesOutUnusual { rehearsal.refuseUnusual(statements) }
    return rehearsal.refusals
  }

  // MARK: A store that must be sound

  private func require(_ database: SQLiteDatabase, isKnown: (TableSource) -> Bool) throws {
    let others = tables.sources.filter { !isKnown($0) }
    // An archive with this schema and these rows was made.
    if others.isEmpty, !tables.sources.isEmpty { return }
    let rehearsal = try StoreRehearsal(
      statements, settings: store.settings, bounds: .ofArchives, place: store.path)
    try require(rehearsal)
    if let missing = missingAdministration.first {
      throw error(missing.label, "it lacks columns that every store has")
    }
    for table in StoreBuilder.indispensable {
      try rehearsal.refuseConditions(ofTable: table.statement.name)
    }
    for source in others {
      try rehearsal.tryRows(of: source.plan, from: database)
      try require(rehearsal)
    }
  }

  /// Requires that no row occurs twice in tables where the order of the keys does not show it.
  func requireUniqueRows(of source: TableSource, _ database: SQLiteDatabase) throws {
    let rehearsal = try StoreRehearsal(
      statements, settings: store.settings, bounds: .ofArchives, place: store.path)
    try rehearsal.tryRows(of: source.plan, from: database, isOrdered: false)
    try require(rehearsal)
  }

  private func require(_ rehearsal: StoreRehearsal) throws(CofferError) {
    guard let refusal = rehearsal.refusals.first else { return }
    throw error(refusal.statement.label, refusal.reason)
  }

  private func error(_ item: String, _ reason: String) -> CofferError {
    CofferError(
      .damagedStore, path: store.path, item: item,
      detail: "no import could restore it: \(reason)", advice: .salvageStore)
  }

  // MARK: Salvage

  private mutating func change(_ refusal: StoreRehearsal.Refusal) {
    guard let position = statements.lastIndex(of: refusal.statement) else { return }
    let name = SchemaName(refusal.statement.name)
    let detail = "\(refusal.statement.label): \(refusal.reason)"
    if refusal.statement.kind == .table, simplified.insert(name).inserted,
      let plain = store.catalog.table(refusal.statement.name)?.plainStatement
    {
      statements[position] = plain
      return changes.append(Change(kind: .simplified, detail: detail))
    }
    statements.remove(at: position)
    changes.removeAll { $0.kind == .simplified && $0.detail == detail }
    var table: TableLayout?
    if refusal.statement.kind == .table,
      !statements.contains(where: { $0.kind == .table && SchemaName($0.name) == name })
    {
      table = tables.remove(refusal.statement.name)
    }
    changes.append(Change(kind: .leftOut, detail: detail, table: table))
  }

  /// Adds the tables that every store must have.
  private mutating func addAdministration() {
    for statement in missingAdministration {
      let name = SchemaName(statement.name)
      statements.removeAll { $0.kind != .trigger && SchemaName($0.name) == name }
      statements.insert(statement, at: 0)
      _ = tables.remove(statement.name)
      changes.append(Change(kind: .added, detail: "store/\(statement.name): it cannot be read"))
    }
  }

  /// The system tables that are missing, or lack a column.
  private var missingAdministration: [SchemaStatement] {
    StoreBuilder.indispensable.filter { wanted in
      let table = store.catalog.table(wanted.statement.name)
      guard let table, table.kind == .ordinary else { return true }
      return wanted.columns.contains { table.column($0)?.isGenerated ?? true }
    }.map(\.statement)
  }
}
