internal import GRDB
internal import GRDBSQLite
internal import POSIX
internal import Synchronization

/// Ends the statements of another thread.
package final class StopSignal: Sendable {
  private let state = Atomic<Bool>(false)

  /// Creates a signal that has not been given.
  package init() {}

  /// Whether the statements must end.
  package var isGiven: Bool { state.load(ordering: .relaxed) }

  /// Gives the signal.
  package func give() { state.store(true, ordering: .relaxed) }
}

/// The conditions that end a long statement.
private final class StatementWatch: Sendable {
  private let signal: StopSignal?
  /// The processor time of the thread when statements end, in nanoseconds; nil for no limit.
  private let end: Int64?
  /// The earliest time of the coarse clock at which the limit can be reached.
  private let nextLook: Atomic<Int64>
  private let exceeded = Atomic<Bool>(false)

  init(_ signal: StopSignal?, _ budget: Int64?) {
    self.signal = signal
    end = budget.map { SystemClock.threadNanoseconds.addingReportingOverflow($0).partialValue }
    nextLook = Atomic(SystemClock.coarseNanoseconds &+ (budget ?? 0))
  }

  /// Whether a statement was ended because it took too long.
  var isExceeded: Bool { exceeded.load(ordering: .relaxed) }

  var endsStatements: Bool {
    if Task<Never, Never>.isCancelled || signal?.isGiven == true { return true }
    guard let end else { return false }
    // Asking the system for the time of a thread costs ten times as much as the coarse clock.
    let now = SystemClock.coarseNanoseconds
    guard now >= nextLook.load(ordering: .relaxed) else { return false }
    let left = end &- SystemClock.threadNanoseconds
    guard left < 0 else {
      // A thread cannot use more time than passes.
      nextLook.store(now &+ left, ordering: .relaxed)
      return false
    }
    exceeded.store(true, ordering: .relaxed)
    return true
  }
}

extension Database {
  /// The number of steps of a statement between two checks whether it must end.
  private static let stepsBetweenLooks: Int32 = 1000
  /// The same number if a single step can take a millisecond, because the schema computes something.
  private static let stepsBetweenLooksAtSchema: Int32 = 64

  /// Ends every statement once its task is cancelled, until ``stopStatements(by:)``.
  ///
  /// A cancelled task gets `sqlite-error`, and finds out the reason itself.
  func stopStatementsOfCancelledTasks() {
    unsafe sqlite3_progress_handler(
      sqliteConnection, Self.stepsBetweenLooks,
      { _ in Task<Never, Never>.isCancelled ? 1 : 0 }, nil)
  }

  /// Lets every statement run to its end.
  fileprivate func stopNoStatements() {
    unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
  }

  /// Ends every statement once a watch requires it; the watch must outlive the handler.
  fileprivate func stopStatements(by watch: StatementWatch, isSchemaSlow: Bool) {
    unsafe sqlite3_progress_handler(
      sqliteConnection, isSchemaSlow ? Self.stepsBetweenLooksAtSchema : Self.stepsBetweenLooks,
      { context in
        guard let context = unsafe context else { return 1 }
        let watch = unsafe Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue()
        return watch.endsStatements ? 1 : 0
      }, unsafe Unmanaged.passUnretained(watch).toOpaque())
  }
}

extension SQLiteDatabase {
  /// Lets the statements of the connection run to their end from now on, even if the task is canceled.
  package func ignoreCancellation() { database.stopNoStatements() }

  /// Runs statements that may take long, and ends them if the task is canceled or a signal is
  /// given.
  ///
  /// - Throws: errors from the closure; `sqlite-error` if a statement was interrupted.
  package func interruptible<T, E: Error>(
    by signal: StopSignal?, _ body: (SQLiteDatabase) throws(E) -> T
  ) throws(E) -> T {
    guard let signal else { return try body(self) }
    return try watched(by: StatementWatch(signal, nil), isSchemaSlow: false, body)
  }

  /// Runs statements for which SQLite computes something for every row, because the schema requires it, and
  /// ends them after a time, or if the task is canceled or a signal is given.
  ///
  /// - Parameters:
  ///   - budget: the processor time of this thread that they may take, in nanoseconds.
  ///   - signal: the signal; nil for none.
  ///   - body: runs the statements.
  /// - Returns: the result of the closure; nil if the statements took longer.
  /// - Throws: errors from the closure; `sqlite-error` if a statement was interrupted.
  package func limitingTime<T, E: Error>(
    to budget: Int64, orBy signal: StopSignal?,
    _ body: (SQLiteDatabase) throws(E) -> T
  ) throws(E) -> T? {
    let watch = StatementWatch(signal, budget)
    do throws(E) {
      let result = try watched(by: watch, isSchemaSlow: true, body)
      return watch.isExceeded ? nil : result
    } catch {
      if watch.isExceeded { return nil }
      throw error
    }
  }

  private func watched<T, E: Error>(
    by watch: StatementWatch, isSchemaSlow: Bool, _ body: (SQLiteDatabase) throws(E) -> T
  ) throws(E) -> T {
    database.stopStatements(by: watch, isSchemaSlow: isSchemaSlow)
    defer {
      database.stopStatementsOfCancelledTasks()
      withExtendedLifetime(watch) {}
    }
    return try body(self)
  }
}
