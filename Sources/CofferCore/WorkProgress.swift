internal import CoreDataLayout

/// The progress of long work.
public struct WorkProgress: Sendable, Equatable {
  /// The current phase.
  public var phase: WorkPhase
  /// The number of completed units: objects, rows, files; 0 for phases without units.
  public var completed: Int
  /// The number of units in the phase; nil if it is not known yet.
  ///
  /// It may be an estimate until the phase ends, and is never less than ``completed``.
  public var total: Int?
  /// The size in bytes of the archive's entries, before compression, read or written since the work
  /// began; nil for work without an archive.
  public var byteCount: Int?

  /// Creates a report; a total below ``completed`` is raised to it.
  public init(_ phase: WorkPhase, completed: Int = 0, total: Int? = nil, byteCount: Int? = nil) {
    self.phase = phase
    self.completed = completed
    self.total = total.map { max($0, completed) }
    self.byteCount = byteCount
  }

  /// The completed fraction of the phase, from 0 to 1; nil if the total is not known.
  public var fraction: Double? {
    guard let total else { return nil }
    return total == 0 ? 1 : Double(completed) / Double(total)
  }
}

/// A phase of long work, with a stable name in kebab case.
///
/// The phases and their order depend on the work and the data: a store without
/// external binary data has no phase for it. Any version may add new phases.
public enum WorkPhase: String, Sendable, Hashable, CaseIterable {
  /// A store is opened, or copied to a private place.
  case opening
  /// The intact parts of a damaged store are read table by table.
  case salvaging
  /// The keys of objects are read, to match the objects of two sources.
  case matching = "matching-objects"
  /// The objects are read or written.
  case objects
  /// The pairs of many-to-many relationships are read or written.
  case relationships
  /// The rows of history, CloudKit mirroring and unexplained tables are read or written.
  case otherRows = "other-rows"
  /// The files of external binary data are read or written.
  case externalData = "external-data"
  /// SQLite builds the indexes of a store.
  case indexes
  /// Every reference of a new store is checked.
  case references = "checking-references"
  /// SQLite checks the pages of a store in parallel with other phases; this is the time spent
  /// waiting for it.
  case pages = "checking-pages"
  /// Checks that need all objects run, such as the check of relationship ends.
  case relations = "checking-relationships"
  /// The objects are checked for anything that prevents a migration.
  case conditions = "checking-objects"
  /// The output is compressed, synchronized, and moved into place.
  case writing = "writing-to-disk"
  /// The files of a vault are read.
  case backups = "reading-backups"
  /// Folders are searched for stores.
  case files

  /// The phase for rows of a table; nil for the few rows of Core Data's own tables.
  init?(_ shape: TableLayout) {
    switch shape.kind {
    case .entity: self = .objects
    case .relationship: self = .relationships
    case .metadata, .primaryKeys, .modelCache: return nil
    default: self = .otherRows
    }
  }
}

/// Receives the progress of long work; called often, and from one task at a time.
///
/// ```swift
/// struct Printer: ProgressReporter {
///   func report(_ progress: WorkProgress) { print(progress.phase, progress.completed) }
/// }
/// ```
///
/// It receives the first and last state of each phase, and states in between: every few thousand
/// objects, or after each file. ``ProgressStream`` passes them to another task.
public protocol ProgressReporter: Sendable {
  /// Receives a state; must return at once.
  func report(_ progress: WorkProgress)
  /// Called when the work has ended for any reason.
  func finish()
}

/// Most reporters do nothing at the end.
extension ProgressReporter {
  /// Does nothing.
  public func finish() {}
}

/// A reporter that reports nothing.
public struct SilentProgress: ProgressReporter {
  /// Creates a silent reporter.
  public init() {}
  /// Does nothing.
  public func report(_ progress: WorkProgress) {}
}

/// The progress of one piece of work as an asynchronous sequence.
///
/// ```swift
/// let progress = ProgressStream()
/// async let summary = StoreExporter(progress: progress).export(storeAt: store, to: archive)
/// for await state in progress { show(state) }
/// print(try await summary.objectCount)
/// ```
///
/// Newer states replace states that the reader has not taken yet, so a slow reader does not delay
/// the work; the last state is always delivered. The sequence ends with the work. It is for one
/// piece of work and one reader.
public struct ProgressStream: ProgressReporter, AsyncSequence {
  private let states: AsyncStream<WorkProgress>
  private let continuation: AsyncStream<WorkProgress>.Continuation

  /// Creates a stream for one piece of work.
  public init() {
    (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Delivers a state, which replaces a state that was not taken yet.
  public func report(_ progress: WorkProgress) { continuation.yield(progress) }

  /// Ends the sequence.
  public func finish() { continuation.finish() }

  /// Creates the iterator; there can be only one reader.
  public func makeAsyncIterator() -> AsyncStream<WorkProgress>.Iterator {
    states.makeAsyncIterator()
  }
}
