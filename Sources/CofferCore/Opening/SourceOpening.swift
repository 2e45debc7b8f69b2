internal import CoreDataPages
package import CoreDataStore

/// An operation on an open source of any kind.
package protocol SourceUse {
  associatedtype Result
  /// Uses the source, and asks it with `requireUnchanged()` before anything is done that lasts.
  func use(_ source: some RowSource) throws -> Result
}

/// Opens a store or an archive as a source of rows.
///
/// This is the only place that distinguishes the two.
package struct SourceOpening {
  /// The environment for reading the store or archive.
  var environment: WorkEnvironment
  /// The receiver of progress, to which opening a store is reported.
  package var progress: any ProgressReporter = SilentProgress()
  /// The maximum size of a blob to read with its row, in bytes.
  package var blobLimit = LineLimits.ownEntry
  /// Whether an archive's keys that are not ascending are an error; in a store, they always are.
  package var checksOrder = false
  /// Whether damaged pages of a store are an error before they are read.
  package var checksPages = false
  /// A private copy of the state of a store that is read; nil for its state now.
  package var content: String?
  /// The rows of a store that are read; nil for all.
  package var changedRows: ChangedRows?
  /// Whether to read a store again from a copy if it changes meanwhile.
  ///
  /// Use this only if nothing has been passed on yet.
  package var repeatsIfChanged = false

  package init(_ environment: WorkEnvironment) { self.environment = environment }

  /// Opens a source for an operation and closes it afterwards.
  ///
  /// - Parameters:
  ///   - path: the store or archive, recognized by content.
  ///   - use: the operation.
  /// - Returns: the result of the operation.
  /// - Throws: `CofferError` if the source cannot be read, with `store-busy` if a store was changed
  ///   or replaced meanwhile, or with `model-mismatch`; errors from the operation.
  package func open<Use: SourceUse>(_ path: String, for use: Use) throws -> Use.Result {
    if let content { return try open(PersistentStore(stateOf: path, in: content), for: use) }
    if let state = environment.composed, state.path == path {
      return try use.use(state.source(environment, loadsOutOfLineValues: blobLimit == .max))
    }
    switch try SourceKind(ofFileAt: path) {
    case .archive, .changes:
      let archive = try environment.openArchive(path)
      return try use.use(
        ArchiveRowSource(archive, loadsOutOfLineValues: blobLimit == .max, checksOrder: checksOrder)
      )
    case .store:
      progress.report(WorkProgress(.opening))
      let store = try PersistentStore(readingFrom: path, access: environment.storeAccess)
      if repeatsIfChanged { return try store.readingAgainIfChanged { try open($0, for: use) } }
      return try open(store, for: use)
    }
  }

  private func open<Use: SourceUse>(_ store: PersistentStore, for use: Use) throws -> Use.Result {
    // A private copy was looked at when it was made.
    if content == nil { try store.requireSoundLog() }
    if content == nil, checksPages { try store.requireSoundPages() }
    let store = try store.fitted(to: environment.model)
    return try store.use { database in
      try changedRows?.copy(to: database)
      return try use.use(
        StoreRowSource(
          store, database, StoreTables(store, blobLimit: blobLimit), limitedTo: changedRows))
    }
  }
}

extension WorkEnvironment {
  /// Opens an archive, which must be of the model.
  package func openArchive(_ path: String) throws -> OpenArchive {
    let open = try OpenArchive(path: path, environment: self)
    try requireModel(of: open, place: path)
    return open
  }

  /// Checks that an open archive is of the model; throws `model-mismatch`.
  package func requireModel(of archive: OpenArchive, place: String) throws {
    try ModelCompatibility.require(archive.documents, of: model, place: place)
  }
}
