public import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

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
