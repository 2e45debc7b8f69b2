public import CofferCore

/// Creates a working store from the readable parts of a damaged one.
///
/// ```swift
/// let summary = try await StoreRescuer().rescue("Trips.sqlite", to: "Rescued.sqlite")
/// for table in summary.lostTables { print(table.name, table.lostCount) }
/// print(summary.errorCount)
/// ```
///
/// The damaged store is never touched. Its readable data is salvaged, restored to a new store,
/// repaired and verified; the new store appears only when all of that is done.
public struct StoreRescuer: Sendable {
  /// The options.
  public var options: RescueOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a rescuer with options and a receiver of its progress.
  public init(
    options: RescueOptions = RescueOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Creates a working store from a damaged one on the caller's thread.
  @discardableResult
  package func rescue(_ store: String, to newStore: String) throws -> RescueSummary {
    try RescueRun(path: store, newStore: newStore, options: options, progress: progress).run()
  }
}

/// Options for rescuing a store.
public struct RescueOptions: Sendable {
  /// The codes whose fixes a rescue makes although they lose data: all errors that ``StoreRepairer`` can fix.
  public static var lossyCodes: Set<FindingCode> {
    Set(
      FindingCode.allCases.filter {
        $0.fix.isAutomatic && $0.fix.kind == .lossy && $0.severity == .error
      })
  }

  /// Whether to replace an existing store, if it is not the damaged one.
  public var overwriting = false
  /// The folder to create for objects that are found on pages which no table leads to, or on damaged ones,
  /// and that the new store lacks; nil not to search.
  ///
  /// It gets an NDJSON file for each entity, as ``DataExporter`` writes it, and is not created if nothing
  /// is found. These objects may be old or deleted, so they are never in the new store.
  public var recoveredFolder: String?
  /// Whether to run statements in the schema that no Core Data store contains, instead of leaving them out.
  public var trustsSchema = false
  /// Where the work is done.
  ///
  /// Its model, from the app's version that wrote the store, replaces lost parts of the damaged store:
  /// its own copy of the model, and the version hashes, which every app needs to open a store.
  public var environment = WorkEnvironment()

  /// Creates the default options.
  public init() {}
}

extension StoreRescuer {
  /// Rescues a store.
  ///
  /// - Parameters:
  ///   - store: the path of the damaged store.
  ///   - newStore: the path of the store to create.
  /// - Returns: the numbers of read and lost rows, the repairs, and the remaining findings.
  /// - Throws: ``CofferError``: `damaged-store` if not even the list of tables is readable,
  ///   `output-exists` or `write-failed` for the new store, `store-busy` if it replaces one in use;
  ///   `refused` if it would replace the damaged store; `model-mismatch` if the store has a copy of another model than
  ///   ``RescueOptions/environment``; errors from opening the store; `CancellationError`. Then there
  ///   is no new store.
  @discardableResult
  public func rescue(_ store: String, to newStore: String) async throws -> RescueSummary {
    try await BackgroundWork.run(progress) { try rescue(store, to: newStore) }
  }
}
