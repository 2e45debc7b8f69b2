internal import CoreDataModel
internal import GRDBSQLite
internal import Synchronization

/// Ends the statements of another thread.
final class StopSignal: Sendable {
  private let state = Atomic<Bool>(false)

  /// Whether the statements are to end.
  var isGiven: Bool { state.load(ordering: .relaxed) }

  /// Lets the statements end.
  func give() { state.store(true, ordering: .relaxed) }
}

extension SQLiteDatabase {
  /// Runs statements that may take long, and ends them if the task is canceled or a signal is
  /// given.
  ///
  /// - Throws: errors from the closure; `sqlite-error` if a statement was interrupted.
  func interruptible<T>(
    by signal: StopSignal? = nil, _ body: (SQLiteDatabase) throws(CofferError) -> T
  ) throws(CofferError) -> T {
    let context = unsafe signal.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
    unsafe sqlite3_progress_handler(
      handle, 1000,
      { context in
        if Task<Never, Never>.isCancelled { return 1 }
        guard let context = unsafe context else { return 0 }
        let signal = unsafe Unmanaged<StopSignal>.fromOpaque(context).takeUnretainedValue()
        return signal.isGiven ? 1 : 0
      }, context)
    defer {
      unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      withExtendedLifetime(signal) {}
    }
    return try body(self)
  }
}
