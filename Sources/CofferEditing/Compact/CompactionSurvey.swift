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

  /// Finds the files, and the orphaned ones among them.
  ///
  /// Only a file with a name that Core Data gives can be one. All stay if a reference leads to no file: one of
  /// them may be the file that it means.
  private mutating func look(at store: PersistentStore, _ database: SQLiteDatabase) throws {
    let isKnown = store.model.source != .inferred
    var references = References()
    if isKnown { try references.read(store, database) }
    // After the rows: a file that was added since belongs to an object that is not in them.
    for file in try SupportFolder(of: StorePaths(store: store.path)).files {
      let name = isKnown ? file.externalName.flatMap { ExternalFileName($0) } : nil
      if let name, !references.reach(name) {
        orphans.append(Name(file.path))
        plan.orphanedByteCount += file.size
      } else {
        keptFileBytes += file.size
      }
    }
    plan.brokenReferenceCount = references.brokenCount
    if isKnown, orphans.isEmpty || references.brokenCount == 0 {
      plan.orphanedFileCount = orphans.count
      return
    }
    plan.keptFileCount = orphans.count
    keptFileBytes += plan.orphanedByteCount
    (orphans, plan.orphanedByteCount) = ([], 0)
  }

  /// The references of a store to files.
  private struct References {
    /// The files that they lead to, with those that columns name that the model does not explain.
    private var used: Set<ExternalFileName> = []
    /// The files of attributes that were not found yet.
    private var missing: Set<ExternalFileName> = []
    private var defectCount = 0

    /// The number of references that lead to no file.
    var brokenCount: Int { defectCount + missing.count }

    mutating func read(_ store: PersistentStore, _ database: SQLiteDatabase) throws {
      let counter = RowCounter(database)
      for table in store.layout.entityTables {
        for column in table.columns {
          let isExternal: Bool
          switch column.role {
          case .attribute(_, _, isExternal: true, _): isExternal = true
          case .plain: isExternal = false
          default: continue
          }
          try Task<Never, Never>.checkCancellation()
          let values = try counter.externalFileNames(
            table: table.tableName, column: column.storedName)
          let names = values.compactMap { $0.flatMap { ExternalFileName($0) } }
          used.formUnion(names)
          guard isExternal else { continue }
          missing.formUnion(names)
          defectCount += values.count - names.count
        }
      }
    }

    /// Whether a reference leads to a file, which is not missing.
    mutating func reach(_ name: ExternalFileName) -> Bool {
      missing.remove(name)
      return used.contains(name)
    }
  }
}

extension HistoryLimit {
  fileprivate var inStore: HistoryCut.Limit {
    switch self {
    case .time(let time): .time(Double(time.secondsSince2001))
    case .transaction(let number): .transaction(number)
    }
  }
}
