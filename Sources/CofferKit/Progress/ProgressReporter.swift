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
  /// Called when the work has ended for any reason, and only by the asynchronous functions.
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
