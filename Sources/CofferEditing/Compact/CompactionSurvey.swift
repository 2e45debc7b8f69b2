internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The reclaimable parts of a store.
struct CompactionSurvey {
  /// The space that can be reclaimed.
  private(set) var plan = CompactionPlan()
  /// The part of the history to remove; nil for none.
  private(set) var cut: HistoryCut?
  /// The external files that nothing refers to, by their paths from the support folder.
  private(set) var orphans: [Name] = []
  private var keptFileBytes = 0

  /// Looks at an open store.
  ///
  /// - Throws: ``CofferError``: `refused` if the history is to be cut and has an unknown form; errors from
  ///   reading.
  init(of store: PersistentStore, _ options: CompactionOptions, copiesFiles: Bool) throws {
    try store.use { database in
      // SQLite copies the rows in any order.
      try StoreRowSource(store, database, StoreTables(store)).requireOrder()
      let pages = try database.value("PRAGMA freelist_count")?.integer ?? 0
      let size = pages.multipliedReportingOverflow(by: store.settings.pageSize).partialValue
      plan.byteCount = store.byteCount
      plan.freeByteCount = min(max(0, Int(clamping: size)), store.byteCount)
      if let limit = options.historyLimit {
        cut = try HistoryCut(before: limit.inStore, in: store, database)
      }
      try look(at: store, database)
    }
    plan.transactionCount = cut?.transactionCount ?? 0
    plan.changeCount = cut?.changeCount ?? 0
    plan.historyByteCount = cut.map(\.byteCount) ?? 0
    plan.neededByteCount = max(
      0, plan.byteCount - plan.freeByteCount - (plan.historyByteCount ?? 0))
    if copiesFiles { plan.neededByteCount += keptFileBytes }
  }

  /// Finds the files, and the orphaned ones among them as defined by the check of external data.
  private mutating func look(at store: PersistentStore, _ database: SQLiteDatabase) throws {
    let isKnown = store.model.source != .inferred
    let used = isKnown ? try usedFiles(of: store, database) : []
    if isKnown { plan.orphanedFileCount = 0 }
    // After the rows: a file that was added since belongs to an object that is not in them.
    for file in try SupportFolder(of: StorePaths(store: store.path)).files {
      let isExternal = file.components.first == StorePaths.externalDataFolderName
      let name = file.externalName.flatMap { ExternalFileName($0) }
      guard isKnown, isExternal, name.map({ !used.contains($0) }) ?? true else {
        keptFileBytes += file.size
        continue
      }
      orphans.append(Name(file.path))
      plan.orphanedFileCount = orphans.count
      plan.orphanedByteCount += file.size
    }
  }

  private func usedFiles(
    of store: PersistentStore, _ database: SQLiteDatabase
  ) throws -> Set<ExternalFileName> {
    var used: Set<ExternalFileName> = []
    let counter = RowCounter(database)
    for table in store.layout.entityTables {
      for column in table.columns {
        guard case .attribute(_, _, isExternal: true, _) = column.role else { continue }
        try Task<Never, Never>.checkCancellation()
        let names = try counter.externalFileNames(table: table.tableName, column: column.storedName)
        used.formUnion(names.compactMap { ExternalFileName($0) })
      }
    }
    return used
  }
}

extension HistoryLimit {
  /// The limit in the numbers of a store.
  fileprivate var inStore: HistoryCut.Limit {
    switch self {
    case .time(let time): .time(Double(time.secondsSince2001))
    case .transaction(let number): .transaction(number)
    }
  }
}
