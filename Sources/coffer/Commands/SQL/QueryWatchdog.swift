internal import POSIX
internal import Synchronization

/// Ends the program if a query continues after its time is over.
///
/// SQLite checks the time between the steps of a statement; one call of a function on long values can take
/// hours, and nothing else can end it.
final class QueryWatchdog: Sendable {
  /// The maximum memory of SQLite, in bytes.
  static let maxMemory = 256 << 20
  /// The processor time that the program waits after the time of the query is over, in nanoseconds.
  private static let grace: Int64 = 1_000_000_000
  private static let interval: Int64 = 50_000_000

  private let isOver = Atomic(false)

  init(seconds: Double, _ end: @escaping @Sendable () -> Never) {
    let latest = SystemClock.processNanoseconds &+ Int64(seconds * 1e9) &+ Self.grace
    // Without a thread, there is no watchdog.
    try? SystemThread.start { [weak self] in
      while let watchdog = self, !watchdog.isOver.load(ordering: .acquiring) {
        if SystemClock.processNanoseconds > latest { end() }
        SystemClock.pause(nanoseconds: Self.interval)
      }
    }
  }

  deinit { isOver.store(true, ordering: .releasing) }
}
