internal import Foundation

/// Runs work that blocks its thread away from the threads of Swift's concurrency, of which there are
/// only as many as processors.
///
/// The work is still part of the task that waits for it: the priority, task-local values and the
/// cancellation are its own.
enum BackgroundWork {
  /// Runs work on a thread that may be blocked.
  ///
  /// - Parameters:
  ///   - progress: who is told when the work has ended.
  ///   - work: the work, which notices the cancellation of its task.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws; `CancellationError` for whatever it throws once the task is
  ///   cancelled.
  static func run<Result: Sendable>(
    _ progress: any ProgressReporter = SilentProgress(), _ work: @Sendable () throws -> Result
  ) async throws -> Result {
    defer { progress.finish() }
    do {
      try Task<Never, Never>.checkCancellation()
      return try await withTaskExecutorPreference(BlockingExecutor.shared) {
        try await perform(work)
      }
    } catch {
      // Whatever the end looked like where it was noticed.
      try Task<Never, Never>.checkCancellation()
      throw error
    }
  }

  @concurrent private static func perform<Result: Sendable>(
    _ work: @Sendable () throws -> Result
  ) async throws -> Result {
    try work()
  }
}

/// Runs each job of a task on a thread of its own.
///
/// Not on a queue of Dispatch: those share their threads with Swift's concurrency on Linux, which would
/// stand still as soon as enough of them are blocked.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    let thread = Thread { unsafe job.runSynchronously(on: executor) }
    thread.name = "coffer"
    thread.start()
  }
}
