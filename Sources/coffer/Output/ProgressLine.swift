internal import CofferKit
internal import Synchronization

/// Shows on standard error how far the work is: as one line of a terminal that is written over again
/// and again, or as lines.
///
/// The first state of a phase is always shown, its last state wherever lines stay; of those between,
/// one per interval.
final class ProgressLine: ProgressReporter {
  /// How the states are shown.
  enum Form: Sendable {
    /// One line of a terminal, which is removed at the end.
    case line
    /// A line of text for each state.
    case text
    /// A line of JSON for each state.
    case json

    /// The least time between two states of one phase: what stays is written less often.
    var interval: Duration { self == .line ? .milliseconds(100) : .seconds(1) }
  }

  /// What is known of the phase that is being worked on.
  private struct State {
    var phase: WorkPhase?
    var phaseBegan: ContinuousClock.Instant
    var shown: ContinuousClock.Instant
    /// The last state, where it was not shown.
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
  ///   - stream: where it is written.
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

  /// Ends what is shown, so that other text can be written: removes the line, or shows the last state.
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
      // One column stays free: in the last one some terminals wrap.
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
    // Whether progress can be seen must not decide whether the work is done.
    try? stream.write(bytes)
  }
}
