/// Receives the progress of long work; called often and from one task at a time.
///
/// ```swift
/// struct Printer: ProgressReporter {
///   func report(_ progress: WorkProgress) { print(progress.phase, progress.completed) }
/// }
/// ```
public protocol ProgressReporter: Sendable {
  /// Takes note of how far the work is; must return at once.
  func report(_ progress: WorkProgress)
}

/// How far a long piece of work is.
public struct WorkProgress: Sendable, Equatable {
  /// What is being done, such as `objects` or `indexes`.
  public var phase: String
  /// How many units are done.
  public var completed: Int
  /// How many units there are; nil while that is not known.
  public var total: Int?

  /// Creates a report.
  public init(phase: String, completed: Int, total: Int?) {
    self.phase = phase
    self.completed = completed
    self.total = total
  }
}

/// A reporter that reports nothing.
public struct SilentProgress: ProgressReporter {
  /// Creates a silent reporter.
  public init() {}
  /// Does nothing.
  public func report(_ progress: WorkProgress) {}
}
