public import CofferCore
public import Foundation

/// The part of a persistent history to read.
public struct HistoryQuery: Sendable, Hashable {
  /// The entity of the objects, or a superentity; nil for all.
  public var entityName: Name?
  /// The primary key of the object; nil for all of the entity.
  public var primaryKey: Int64?
  /// The time of the first transaction; nil for all.
  public var since: Date?
  /// The author of the transactions; nil for all.
  public var author: String?

  /// Asks for everything, or for the changes of some objects.
  public init(entityName: Name? = nil, primaryKey: Int64? = nil) {
    (self.entityName, self.primaryKey) = (entityName, primaryKey)
  }
}

/// Reads the persistent history of a store or of an archive: who changed which objects when.
///
/// ```swift
/// try HistoryReader().read("Trips.sqlite") { entry in
///   if case .change(let change) = entry { print(change.objectID, change.kind) }
/// }
/// ```
///
/// Memory does not grow with the number of transactions and changes.
public struct HistoryReader: Sendable {
  /// The environment for reading the store or archive.
  public var environment: WorkEnvironment

  /// Creates a reader; the default access is safe in any app.
  public init(environment: WorkEnvironment = WorkEnvironment()) { self.environment = environment }

  /// Reads transactions with their changes.
  ///
  /// - Parameters:
  ///   - path: the store or the archive; its content shows which.
  ///   - query: which part. If it names objects, transactions without a change of them are left out.
  ///   - found: receives each transaction in the order of numbers, followed by its changes in the order of
  ///     their records; an error that it throws ends the work.
  /// - Returns: the summary.
  /// - Throws: ``CofferError`` with `no-such-entity`; as `StoreInspector.inspect(_:)` otherwise.
  @discardableResult
  package func read(
    _ path: String, _ query: HistoryQuery = HistoryQuery(),
    found: (HistoryEntry) throws -> Void
  ) throws -> HistorySummary {
    try withoutActuallyEscaping(found) { found in
      try SourceOpening(environment).open(
        path,
        for: HistoryRun(
          query: query, temporaryFolder: environment.temporaryFolder, found: found))
    }
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
