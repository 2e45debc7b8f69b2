public import CoreDataModel
public import CoreDataStore

// Every function of the library that works on a store or an archive has an asynchronous twin here
// with the same name, arguments, result and errors. The work runs on its own thread, where it also
// calls closures, and the caller's actor is free meanwhile. If the task is canceled, the work soon
// ends with `CancellationError` and leaves nothing behind.

extension StoreExporter {
  /// Opens a store and writes an archive to a file without blocking the caller.
  @discardableResult
  public func export(storeAt store: String, to archive: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: archive) }
  }

  /// Opens a store and writes an archive without blocking the caller.
  @discardableResult
  public func export(
    storeAt store: String, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: target) }
  }

  /// Writes an archive of an open store to a file without blocking the caller.
  @discardableResult
  public func export(_ store: PersistentStore, to path: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: path) }
  }

  /// Writes an archive of an open store without blocking the caller.
  @discardableResult
  public func export(
    _ store: PersistentStore, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: target) }
  }
}

extension StoreImporter {
  /// Restores a store from an archive in a file without blocking the caller.
  @discardableResult
  public func `import`(_ archive: String, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try self.import(archive, to: store) }
  }

  /// Restores a store from a file descriptor without blocking the caller.
  @discardableResult
  public func `import`(fileDescriptor: Int32, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) {
      try self.import(fileDescriptor: fileDescriptor, to: store)
    }
  }
}

extension StoreWatch {
  /// Watches a store without blocking the caller, until the task is canceled or the closure throws.
  public static func watch(
    _ path: String, options: WatchOptions = WatchOptions(),
    onEvent: @escaping @Sendable (WatchEvent) throws -> Void
  ) async throws {
    try await BackgroundWork.run { try watch(path, options: options, onEvent: onEvent) }
  }
}

extension HistoryReader {
  /// Reads transactions with their changes without blocking the caller.
  @discardableResult
  public func read(
    _ path: String, _ query: HistoryQuery = HistoryQuery(),
    found: @escaping @Sendable (HistoryEntry) throws -> Void
  ) async throws -> HistorySummary {
    try await BackgroundWork.run { try read(path, query, found: found) }
  }
}

extension Vault {
  /// Backs up a store without blocking the caller.
  @discardableResult
  public func backup(
    storeAt store: String, options: BackupOptions = BackupOptions()
  ) async throws -> BackupSummary {
    try await BackgroundWork.run(progress) { try backup(storeAt: store, options: options) }
  }

  /// Lists the backups without blocking the caller.
  public func backups(of store: String? = nil) async throws -> [Backup] {
    try await BackgroundWork.run(progress) { try backups(of: store) }
  }

  /// Finds a backup without blocking the caller.
  public func backup(_ selection: BackupSelection) async throws -> Backup {
    try await BackgroundWork.run(progress) { try backup(selection) }
  }

  /// Makes the archive of a backup's state readable without blocking the caller.
  public func open(_ selection: BackupSelection = BackupSelection()) async throws -> OpenedBackup {
    try await BackgroundWork.run(progress) { try open(selection) }
  }

  /// Restores a store from a backup without blocking the caller.
  @discardableResult
  public func restore(
    _ selection: BackupSelection = BackupSelection(), to store: String,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try restore(selection, to: store, options: options) }
  }

  /// Forgets the backups that no rule keeps without blocking the caller.
  @discardableResult
  public func forget(
    _ policy: RetentionPolicy, of store: String? = nil, isDryRun: Bool = false
  ) async throws -> ForgetSummary {
    try await BackgroundWork.run(progress) { try forget(policy, of: store, isDryRun: isDryRun) }
  }

  /// Checks that the backups are whole, recent and not suddenly small without blocking the caller.
  public func check(
    _ options: VaultCheckOptions = VaultCheckOptions(), of store: String? = nil
  ) async throws -> VaultCheckSummary {
    try await BackgroundWork.run(progress) { try check(options, of: store) }
  }

  /// Restores backups and checks what comes back without blocking the caller.
  public func drill(
    _ options: VaultDrillOptions = VaultDrillOptions(), of store: String? = nil
  ) async throws -> VaultCheckSummary {
    try await BackgroundWork.run(progress) { try drill(options, of: store) }
  }

  /// Follows an object through all backups of its store without blocking the caller.
  @discardableResult
  public func history(
    of entityName: String, primaryKey: Int64, in store: String? = nil,
    found: @escaping @Sendable (ObjectEvent) throws -> Void
  ) async throws -> ObjectHistorySummary {
    try await BackgroundWork.run(progress) {
      try history(of: entityName, primaryKey: primaryKey, in: store, found: found)
    }
  }
}

extension Verifier {
  /// Verifies a store or an archive without blocking the caller.
  @discardableResult
  public func verify(
    _ path: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, report: report) }
  }

  /// Verifies an open store without blocking the caller.
  @discardableResult
  public func verify(
    _ store: PersistentStore, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(store, report: report) }
  }

  /// Verifies an archive from a file descriptor without blocking the caller.
  @discardableResult
  public func verify(
    fileDescriptor: Int32, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) {
      try verify(fileDescriptor: fileDescriptor, report: report)
    }
  }

  /// Verifies a store or an archive, and then compares it with an older state of the same store, without
  /// blocking the caller.
  @discardableResult
  public func verify(
    _ path: String, against older: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, against: older, report: report) }
  }
}

extension StoreComparison {
  /// Compares two stores or archives without blocking the caller.
  @discardableResult
  public func compare(
    _ first: String, _ second: String,
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> ComparisonSummary {
    try await BackgroundWork.run(progress) {
      try compare(first, second, onDifference: onDifference)
    }
  }
}

extension StoreComparison {
  /// Writes a file of changes without blocking the caller.
  @discardableResult
  public func writeChanges(
    from first: String, to second: String, at target: ArchiveTarget,
    writing: ChangesOptions = ChangesOptions()
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run(progress) {
      try writeChanges(from: first, to: second, at: target, writing: writing)
    }
  }
}

extension StoreMigrator {
  /// Plans a migration without blocking the caller.
  public func plan(_ source: String, to model: String) async throws -> MigrationPlan {
    try await BackgroundWork.run(progress) { try plan(source, to: model) }
  }

  /// Migrates a store without blocking the caller.
  @discardableResult
  public func migrate(
    _ source: String, to model: String, at store: String
  ) async throws -> MigrationSummary {
    try await BackgroundWork.run(progress) { try migrate(source, to: model, at: store) }
  }
}

extension StoreCreator {
  /// Creates the store of a model without blocking the caller.
  @discardableResult
  public func create(_ model: String, at store: String) async throws -> CreationSummary {
    try await BackgroundWork.run { try create(model, at: store) }
  }
}

extension StoreInspector {
  /// Inspects a store or an archive without blocking the caller.
  public func inspect(_ path: String) async throws -> Inspection {
    try await BackgroundWork.run { try inspect(path) }
  }
}

extension StoreReporter {
  /// Creates a report on a store or an archive without blocking the caller.
  public func report(on path: String) async throws -> StoreReport {
    try await BackgroundWork.run(progress) { try report(on: path) }
  }
}

extension StoreFinder {
  /// Searches a folder and its subfolders without blocking the caller.
  @discardableResult
  public func find(
    in path: String, found: @escaping @Sendable (FoundStore) throws -> Void
  ) async throws -> FindSummary {
    try await BackgroundWork.run(progress) { try find(in: path, found: found) }
  }
}

extension ObjectBrowser {
  /// Finds the objects that match a query without blocking the caller.
  @discardableResult
  public func show(
    _ path: String, _ query: ObjectQuery, found: @escaping @Sendable (ShownObject) throws -> Void
  ) async throws -> Int {
    try await BackgroundWork.run { try show(path, query, found: found) }
  }

  /// Counts the objects that match a query, by their values, without blocking the caller.
  public func groups(
    _ path: String, _ query: ObjectQuery, by properties: [String]
  ) async throws -> [ObjectGroup] {
    try await BackgroundWork.run { try groups(path, query, by: properties) }
  }
}

extension StoreQueries {
  /// The tables as they are now, without blocking the caller.
  public func tables() async throws -> [QueryTable] {
    try await BackgroundWork.run { try tables() }
  }

  /// Runs a statement without blocking the caller.
  @discardableResult
  public func run(
    _ statement: String, limits: QueryLimits = QueryLimits(),
    columns: @escaping @Sendable ([String]) throws -> Void,
    row: @escaping @Sendable ([QueryValue]) throws -> Bool
  ) async throws -> Int {
    try await BackgroundWork.run {
      try run(statement, limits: limits, columns: columns, row: row)
    }
  }
}

extension DataExporter {
  /// Writes the objects of a store or an archive to a folder without blocking the caller.
  @discardableResult
  public func write(_ path: String, to folder: String) async throws -> DataExportSummary {
    try await BackgroundWork.run(progress) { try write(path, to: folder) }
  }
}

extension TableImporter {
  /// Makes a store of tables without blocking the caller.
  @discardableResult
  public func `import`(_ tables: String, to store: String) async throws -> TableImportSummary {
    try await BackgroundWork.run(progress) { try self.import(tables, to: store) }
  }
}

extension ModelLoader {
  /// Reads a model without blocking the caller.
  public static func model(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) async throws -> ManagedObjectModel {
    try await BackgroundWork.run {
      try model(from: path, version: version, archiveAccess: archiveAccess)
    }
  }

  /// Reads a model and its version hashes without blocking the caller.
  public static func load(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) async throws -> LoadedModel {
    try await BackgroundWork.run {
      try load(from: path, version: version, archiveAccess: archiveAccess)
    }
  }
}
