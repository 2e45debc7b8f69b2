import CofferKit
internal import Synchronization

/// Keeps all reports.
final class ProgressRecorder: ProgressReporter {
  private let kept = Mutex<[WorkProgress]>([])

  /// What was reported, in order.
  var reports: [WorkProgress] { kept.withLock { $0 } }

  /// The phases that were reported.
  var phases: Set<WorkPhase> { Set(reports.map(\.phase)) }

  func report(_ progress: WorkProgress) { kept.withLock { $0.append(progress) } }
}
