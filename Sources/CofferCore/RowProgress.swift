package import CoreDataLayout

/// Reports the number of processed rows: objects, pairs and others, over all tables of a kind.
package final class RowProgress {
  private let reporter: any ProgressReporter
  private let objectTotal: Int?
  private let bytes: () -> Int?
  private var done: [WorkPhase: Int] = [:]
  private var last: WorkProgress?

  /// Prepares the reports of one piece of work.
  ///
  /// - Parameters:
  ///   - reporter: receives the progress.
  ///   - objectTotal: the number of objects, if it is known.
  ///   - bytes: returns the number of bytes read or written so far.
  package init(
    _ reporter: any ProgressReporter, objectTotal: Int?, bytes: @escaping () -> Int? = { nil }
  ) {
    self.reporter = reporter
    self.objectTotal = objectTotal
    self.bytes = bytes
  }

  /// Reports rows of the current table.
  package func report(_ rows: Int, of shape: TableLayout) {
    if let phase = WorkPhase(shape) { report(rows, in: phase) }
  }

  /// Reports the rows of a completed table.
  package func end(_ rows: Int, of shape: TableLayout) {
    if let phase = WorkPhase(shape) { end(rows, in: phase) }
  }

  /// Does something with the rows of a table, and reports the number of rows so far.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - body: calls the closure that it is given with the number of rows so far.
  /// - Throws: errors from the body, and through it `CancellationError`.
  package func reportRows(
    of shape: TableLayout, _ body: (_ step: (Int) throws -> Void) throws -> Void
  ) throws {
    var passed = 0
    report(0, of: shape)
    try body { count in
      passed = count
      report(count, of: shape)
      try Task<Never, Never>.checkCancellation()
    }
    end(passed, of: shape)
  }

  /// Reports rows of a phase, not counting earlier ones of the same phase.
  package func report(_ rows: Int, in phase: WorkPhase) {
    let completed = done[phase, default: 0] + rows
    if let last, last.phase != phase { finishPhase() }
    let state = WorkProgress(
      phase, completed: completed, total: phase == .objects ? objectTotal : nil,
      byteCount: bytes())
    guard state != last else { return }
    last = state
    reporter.report(state)
  }

  /// Reports rows of a phase that may get more.
  package func end(_ rows: Int, in phase: WorkPhase) {
    report(rows, in: phase)
    done[phase, default: 0] += rows
  }

  /// Reports the last state of the rows, which has their exact number.
  package func finishPhase() {
    guard var state = last else { return }
    last = nil
    state.total = state.completed
    state.byteCount = bytes()
    reporter.report(state)
  }
}
