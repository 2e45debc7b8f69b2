internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// What is done with a source that is open, whatever kind it is of.
protocol SourceUse {
  associatedtype Result
  /// Uses the source, and asks it with `requireUnchanged()` before anything is done that lasts.
  func use(_ source: some RowSource) throws -> Result
}

/// Opens a store or an archive as a source of rows: the one place that tells the two apart.
struct SourceOpening {
  /// How the store or archive is read.
  var access: SourceAccess
  /// Who is told that a store is opened.
  var progress: any ProgressReporter = SilentProgress()
  /// The most bytes of a blob that is read with its row.
  var blobLimit = LineLimits.ownEntry
  /// Whether keys of an archive that do not ascend are an error.
  var checksOrder = false
  /// Whether a store that is changed meanwhile is read once more, from a copy: what was read before
  /// must not have been handed out yet.
  var repeatsIfChanged = false

  init(access: SourceAccess) { self.access = access }

  /// Opens a source for as long as it is used.
  ///
  /// - Parameters:
  ///   - path: the store or the archive; which of both it is, its content tells.
  ///   - use: what is done with it.
  /// - Returns: what the use returns.
  /// - Throws: `CofferError` for what cannot be read; `store-busy` for a store that
  ///   was changed or replaced meanwhile; ``CofferError`` with `model-mismatch`; what the use throws.
  func open<Use: SourceUse>(_ path: String, for use: Use) throws -> Use.Result {
    switch try SourceKind(ofFileAt: path) {
    case .archive:
      let archive = try access.openArchive(path)
      return try use.use(
        ArchiveRowSource(archive, loadsOutOfLineValues: blobLimit == .max, checksOrder: checksOrder)
      )
    case .store:
      progress.report(WorkProgress(.opening))
      let store = try PersistentStore(readingFrom: path, access: access.store)
      if repeatsIfChanged { return try store.readingAgainIfChanged { try open($0, for: use) } }
      return try open(store, for: use)
    }
  }

  private func open<Use: SourceUse>(_ store: PersistentStore, for use: Use) throws -> Use.Result {
    let store = try store.fitted(to: access.model)
    return try store.use { database in
      try use.use(StoreRowSource(store, database, blobLimit: blobLimit))
    }
  }
}
