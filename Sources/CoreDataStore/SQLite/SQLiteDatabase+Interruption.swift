internal import CoreDataModel
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Ends the statements of another thread.
package final class StopSignal: Sendable {
  private let state = Atomic<Bool>(false)

  /// Creates a signal that is not given.
  package init() {}

  /// Whether the statements are to end.
  package var isGiven: Bool { state.load(ordering: .relaxed) }

  /// Lets the statements end.
  package func give() { state.store(true, ordering: .relaxed) }
}

extension Database {
  /// After how many steps of a statement it is looked whether it is to end.
  private static let stepsBetweenLooks: Int32 = 1000

  /// Ends every statement once the task is cancelled that runs it, until ``stopStatements(by:)``.
  ///
  /// A task that was cancelled gets `sqlite-error`, and asks itself why.
  func stopStatementsOfCancelledTasks() {
    unsafe sqlite3_progress_handler(
      sqliteConnection, Self.stepsBetweenLooks,
      { _ in Task<Never, Never>.isCancelled ? 1 : 0 }, nil)
  }

  /// Ends every statement once a signal is given, or the task is cancelled; the signal must stay.
  fileprivate func stopStatements(by signal: StopSignal) {
    unsafe sqlite3_progress_handler(
      sqliteConnection, Self.stepsBetweenLooks,
      { context in
        guard !Task<Never, Never>.isCancelled, let context = unsafe context else { return 1 }
        let signal = unsafe Unmanaged<StopSignal>.fromOpaque(context).takeUnretainedValue()
        return signal.isGiven ? 1 : 0
      }, unsafe Unmanaged.passUnretained(signal).toOpaque())
  }
}

extension SQLiteDatabase {
  /// Runs statements that may take long, and ends them if the task is canceled or a signal is
  /// given.
  ///
  /// - Throws: errors from the closure; `sqlite-error` if a statement was interrupted.
  package func interruptible<T, E: Error>(
    by signal: StopSignal?, _ body: (SQLiteDatabase) throws(E) -> T
  ) throws(E) -> T {
    guard let signal else { return try body(self) }
    database.stopStatements(by: signal)
    defer {
      database.stopStatementsOfCancelledTasks()
      withExtendedLifetime(signal) {}
    }
    return try body(self)
  }
}
