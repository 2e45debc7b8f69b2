/// Receives the progress of long work; called often and from one task at a time.
///
/// ```swift
/// struct Printer: ProgressReporter {
///   func report(_ progress: WorkProgress) { print(progress.phase, progress.completed) }
/// }
/// ```
///
/// The first and the last state of each phase are reported, and states between them, each a few
/// thousand objects or one file after the other. ``ProgressStream`` hands them to another task.
public protocol ProgressReporter: Sendable {
  /// Takes note of how far the work is; must return at once.
  func report(_ progress: WorkProgress)
  /// The work has ended, in whichever way; called by the asynchronous functions alone.
  func finish()
}

/// Most reporters have nothing to do at the end.
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
