public import CofferCore
internal import CoreDataModel
internal import POSIX

/// Tells what an app saves to a store, as it saves.
///
/// ```swift
/// for try await event in StoreWatcher().events(of: "Trips.sqlite") { print(event) }
/// ```
///
/// Changes are reported as the net effect of everything that was committed since the last look, by whatever
/// writer, with the differences that `StoreComparison` finds. Counters, and rows of tables without objects,
/// such as the persistent history, are left out.
///
/// Nothing is changed, and no lock is taken: no writer has to wait. Watching needs private copies of two
/// states, twice the size of the store.
public struct StoreWatcher: Sendable {
  /// The options.
  public var options: WatchOptions

  /// Creates a watcher with options; by default, it watches all entities.
  public init(options: WatchOptions = WatchOptions()) { self.options = options }

  /// Watches a store on the caller's thread until the task is canceled, or the closure throws.
  package func watch(_ path: String, onEvent: (WatchEvent) throws -> Void) throws {
    let watch = try StoreWatch.begin(path, options: options, onEvent: onEvent)
    while true {
      try Task<Never, Never>.checkCancellation()
      try watch.look(onEvent)
      SystemClock.pause(nanoseconds: StoreWatch.interval)
    }
  }

  /// Watches a store until the task is canceled, or the closure throws.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - onEvent: called for each event.
  /// - Throws: ``CofferError`` if the store cannot be read, `cannot-copy` without space for the copies,
  ///   `no-such-entity`, or `model-mismatch`; `CancellationError` at the end; errors from the closure.
  public func watch(
    _ path: String, onEvent: @escaping @Sendable (WatchEvent) throws -> Void
  ) async throws {
    try await BackgroundWork.run { try watch(path, onEvent: onEvent) }
  }

  /// The events of a store, for as long as somebody reads them.
  ///
  /// The work begins with the first requested event. A slow reader delays the next look.
  ///
  /// - Parameter path: the store.
  /// - Returns: the events, which end as `watch(_:onEvent:)` does.
  public func events(of path: String) -> some AsyncSequence<WatchEvent, any Error> {
    WorkSequence { receive in try watch(path, onEvent: receive) }
  }
}

/// Options for watching a store.
public struct WatchOptions: Sendable {
  /// The entities to watch, with their subentities; empty for everything.
  ///
  /// With entities, only their objects and the pairs of their relationships are reported.
  public var entityNames: [Name] = []
  /// Whether each state is verified after its changes are told.
  public var verifies = false
  /// The environment for reading the store, with the folder for private copies, which need space for the store twice.
  public var environment = WorkEnvironment()

  /// The seconds that a store may be unreadable before an event says so.
  package var patience = 5.0

  /// Creates options to watch all entities.
  public init() {}
}
