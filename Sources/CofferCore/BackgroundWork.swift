internal import Foundation

/// Runs blocking work outside the threads of Swift concurrency, which are only as many as
/// processors.
///
/// The work belongs to the waiting task: it has its priority, task-local values and cancellation.
package enum BackgroundWork {
  /// Runs work on a thread that may block.
  ///
  /// - Parameters:
  ///   - progress: notified when the work has ended.
  ///   - work: the work, which must notice the cancellation of its task.
  /// - Returns: what the work returns.
  /// - Throws: errors from the work, or `CancellationError` if the task is canceled.
  package static func run<Result: Sendable>(
    _ progress: any ProgressReporter = SilentProgress(), _ work: @Sendable () throws -> Result
  ) async throws -> Result {
    defer { progress.finish() }
    do {
      try Task<Never, Never>.checkCancellation()
      return try await withTaskExecutorPreference(BlockingExecutor.shared) {
        try await perform(work)
      }
    } catch {
      // Report the cancellation, whatever error it caused.
      try Task<Never, Never>.checkCancellation()
      throw WorkFolder.explaining(error)
    }
  }

  @concurrent private static func perform<Result: Sendable>(
    _ work: @Sendable () throws -> Result
  ) async throws -> Result {
    try work()
  }
}

/// Runs each job of a task on its own thread.
///
/// It does not use a Dispatch queue: on Linux those share their threads with Swift concurrency,
/// which would stop as soon as enough of them block.
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
