package import CoreDataModel
internal import Dispatch
internal import Synchronization

/// SQLite's own check of a database, on another thread while the rows are read.
///
/// It uses its own connection. Releasing it early ends the audit and waits a moment for that.
package final class ConcurrentAudit: Sendable {
  /// The state that both threads share.
  private final class Work: Sendable {
    let signal = StopSignal()
    let outcome = Mutex<Result<[String], CofferError>>(.success([]))
    let hasPassed = Atomic(false)
    let done = DispatchSemaphore(value: 0)
  }

  /// The time to wait between checks for cancellation.
  private static let patience = DispatchTimeInterval.milliseconds(20)

  private let work = Work()

  init(_ connection: SQLiteConnection, isDeep: Bool) {
    DispatchQueue.global().async { [work] in
      let outcome = Self.run(connection, isDeep, work.signal)
      try? connection.close()
      work.outcome.withLock { $0 = outcome }
      if case .success([]) = outcome { work.hasPassed.store(true, ordering: .releasing) }
      work.done.signal()
    }
  }

  deinit {
    work.signal.give()
    work.done.wait()
  }

  /// Whether the check has ended, and has found nothing.
  package var hasPassed: Bool { work.hasPassed.load(ordering: .acquiring) }

  /// Waits for the end of the check.
  ///
  /// - Returns: the defects, as ``DatabaseAudit/messages(isDeep:)``.
  /// - Throws: ``CofferError`` if the check itself is not possible, also if the task was canceled.
  package func messages() throws(CofferError) -> [String] {
    while work.done.wait(timeout: .now() + Self.patience) == .timedOut {
      if Task<Never, Never>.isCancelled { work.signal.give() }
    }
    // For the next one who waits.
    work.done.signal()
    return try work.outcome.withLock { $0 }.get()
  }

  private static func run(
    _ connection: SQLiteConnection, _ isDeep: Bool, _ signal: StopSignal
  ) -> Result<[String], CofferError> {
    connection.use { database in
      Result { () throws(CofferError) in
        try DatabaseAudit(database).messages(isDeep: isDeep, endedBy: signal)
      }
    }
  }
}
