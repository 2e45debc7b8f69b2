public import CofferCore
public import Foundation

/// Options for reading a persistent history.
public struct HistoryOptions: Sendable {
  /// The entity of the objects, or a superentity; nil for all.
  public var entityName: Name?
  /// The primary key of the object; nil for all of the entity.
  public var primaryKey: Int64?
  /// The time of the first transaction; nil for all.
  public var since: Date?
  /// The author of the transactions; nil for all.
  public var author: String?

  /// The environment for reading the store or archive.
  public var environment = WorkEnvironment()

  /// Creates options for everything, or for the changes of some objects.
  public init(entityName: Name? = nil, primaryKey: Int64? = nil) {
    (self.entityName, self.primaryKey) = (entityName, primaryKey)
  }
}

/// Reads the persistent history of a store or of an archive: who changed which objects when.
///
/// ```swift
/// try await HistoryReader().read("Trips.sqlite") { entry in
///   if case .change(let change) = entry { print(change.objectID, change.kind) }
/// }
/// ```
///
/// Memory does not grow with the number of transactions and changes.
public struct HistoryReader: Sendable {
  /// The options.
  public var options: HistoryOptions

  /// Creates a reader with options; the default environment is safe in any app.
  public init(options: HistoryOptions = HistoryOptions()) { self.options = options }

  /// Reads transactions with their changes on the caller's thread.
  @discardableResult
  package func read(
    _ path: String, onEntry: (HistoryEntry) throws -> Void
  ) throws -> HistorySummary {
    try withoutActuallyEscaping(onEntry) { onEntry in
      try SourceOpening(options.environment).open(
        path, for: HistoryRun(options: options, found: onEntry))
    }
  }
}

extension HistoryReader {
  /// Reads transactions with their changes.
  ///
  /// - Parameters:
  ///   - path: the store or the archive; its content shows which.
  ///   - onEntry: receives each transaction in the order of numbers, followed by its changes in the order of
  ///     their records; an error that it throws ends the work.
  /// - Returns: the summary.
  /// - Throws: ``CofferError`` with `no-such-entity`; as `StoreInspector.inspect(_:)` otherwise.
  @discardableResult
  public func read(
    _ path: String, onEntry: @escaping @Sendable (HistoryEntry) throws -> Void
  ) async throws -> HistorySummary {
    try await BackgroundWork.run { try read(path, onEntry: onEntry) }
  }
}
