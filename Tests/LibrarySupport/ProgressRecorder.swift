package import CofferCore
internal import Synchronization

/// Keeps all reports.
package final class ProgressRecorder: ProgressReporter {
  private let kept = Mutex<[WorkProgress]>([])

  package init() {}

  /// What was reported, in order.
  package var reports: [WorkProgress] { kept.withLock { $0 } }

  /// The phases that were reported.
  package var phases: Set<WorkPhase> { Set(reports.map(\.phase)) }

  package func report(_ progress: WorkProgress) { kept.withLock { $0.append(progress) } }
}
