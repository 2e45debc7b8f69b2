internal import CofferKit
internal import Synchronization

/// Shows progress on standard error, as one line that is rewritten on a terminal, or as separate
/// lines.
///
/// Always shows the first state of a phase, shows the last one if lines are separate, and one per
/// interval in between.
final class ProgressLine: ProgressReporter {
  /// The form of the progress.
  enum Form: Sendable {
    /// One line on a terminal, which is removed at the end.
    case line
    /// A line of text for each state.
    case text
    /// A line of JSON for each state.
    case json

    /// The minimum time between two states of one phase, longer for separate lines.
    var interval: Duration { self == .line ? .milliseconds(100) : .seconds(1) }
  }

  /// The state of the current phase.
  private struct State {
    var phase: WorkPhase?
    var phaseBegan: ContinuousClock.Instant
    var shown: ContinuousClock.Instant
    /// The last state if it has not been shown.
    var waiting: WorkProgress?
    var isVisible = false
  }

  private let stream: StandardStream
  private let form: Form
  private let began: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  /// Creates a line on a stream.
  ///
  /// - Parameters:
  ///   - stream: the stream.
  ///   - form: how.
  ///   - now: the time.
  init(
    _ stream: StandardStream, form: Form,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.stream = stream
    self.form = form
    self.now = now
    began = now()
    state = Mutex(State(phaseBegan: began, shown: began))
  }

  func report(_ progress: WorkProgress) {
    let now = now()
    state.withLock { state in
      let isFirst = state.phase != progress.phase
      if isFirst {
        showWaiting(&state, now)
        state.phase = progress.phase
        state.phaseBegan = now
      }
      if isFirst || now - state.shown >= form.interval {
        show(progress, &state, now)
      } else {
        state.waiting = progress
      }
    }
  }

  /// Removes the line or shows the last state, so that other text can be written.
  func erase() {
    let now = now()
    state.withLock { state in
      showWaiting(&state, now)
      if state.isVisible { write("\r\u{1B}[K") }
      state.isVisible = false
      state.phase = nil
    }
  }

  private func showWaiting(_ state: inout State, _ now: ContinuousClock.Instant) {
    if form != .line, let last = state.waiting { show(last, &state, now) }
    state.waiting = nil
  }

  private func show(
    _ progress: WorkProgress, _ state: inout State, _ now: ContinuousClock.Instant
  ) {
    state.shown = now
    state.waiting = nil
    let elapsed = now - state.phaseBegan
    switch form {
    case .line:
      // One column stays free because some terminals wrap in the last one.
      let text = ProgressText.text(
        progress, elapsed: elapsed, width: Terminal.width(stream.descriptor) - 1)
      write("\r\(text)\u{1B}[K")
      state.isVisible = true
    case .text: write(ProgressText.text(progress, elapsed: elapsed) + "\n")
    case .json: write(JSONPrinter.progress(progress, elapsed: now - began))
    }
  }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    // Failing to show progress must not stop the work.
    try? stream.write(bytes)
  }
}
