internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Everything readable in a damaged store, determined table by table before anything is written.
///
/// The readable rows of a damaged table are copied to a temporary database, from which the export
/// reads them. An intact table is read in place.
struct StoreSalvage {
  struct DamagedTable {
    var shape: TableLayout
    var losses: TableLosses
  }

  /// The tables with losses, in the order of the archive.
  private(set) var tables: [DamagedTable] = []
  /// The tables with rows that cannot belong to them, in the same order.
  private(set) var misplaced: [TableLayout] = []
  private let copy: SalvageCopy
  private var copied: Set<Name> = []
  private var unreadable: Set<Name> = []

  /// Reads all tables.
  ///
  /// - Throws: `CofferError` for anything but damage; `CancellationError`.
  init(
    _ store: PersistentStore, _ sources: [TableSource], _ database: SQLiteDatabase,
    _ progress: any ProgressReporter
  ) throws {
    copy = try SalvageCopy(place: store.path)
    let owners = try store.entityOwners(in: database)
    for (number, source) in sources.enumerated() {
      progress.report(WorkProgress(.salvaging, completed: number, total: sources.count))
      let shape = source.shape
      guard let table = store.salvagedTable(shape.storedName, owners) else { continue }
      let outcome = try copy.use { target in
        try TableSalvage(
          table, plan: source.plan, from: database, to: target,
          checkpoint: { try Task<Never, Never>.checkCancellation() }
        ).run()
      }
      if outcome.isCopied { copied.insert(Name(shape.storedName)) }
      if outcome.hasStrangers { misplaced.append(shape) }
      guard let losses = outcome.losses else { continue }
      if !outcome.isCopied { unreadable.insert(Name(shape.storedName)) }
      tables.append(DamagedTable(shape: shape, losses: losses))
    }
    progress.report(WorkProgress(.salvaging, completed: sources.count, total: sources.count))
  }

  /// Passes the database with the readable rows of a table to a closure, which is not called if
  /// there are none.
  func use(
    _ shape: TableLayout, of store: SQLiteDatabase, _ body: (SQLiteDatabase) throws -> Void
  ) throws {
    if unreadable.contains(Name(shape.storedName)) { return }
    if copied.contains(Name(shape.storedName)) { return try copy.use { try body($0) } }
    try body(store)
  }

  /// The losses of a table; nil if there are none.
  func losses(of shape: TableLayout) -> TableLosses? {
    tables.first { $0.shape.storedName.hasSameBytes(as: shape.storedName) }?.losses
  }
}
