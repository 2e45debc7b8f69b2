import CofferKit
internal import Synchronization

/// Remembers which phases were reported.
final class ProgressRecorder: ProgressReporter {
  private let seen = Mutex<Set<String>>([])

  var phases: Set<String> { seen.withLock { $0 } }

  func report(_ progress: WorkProgress) {
    _ = seen.withLock { $0.insert(progress.phase) }
  }
}
