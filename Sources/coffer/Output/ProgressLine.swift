internal import CofferKit
internal import Synchronization

/// Shows progress on standard error, as one line that is rewritten on a terminal, or as separate
/// lines.
///
/// Always shows the first state of a phase, shows the last one if lines are separate, and one per
/// interval in between.
final class ProgressLine: ProgressReporter {
  enum Form: Sendable {
    /// One line on a terminal, which is removed at the end.
    case line
    case text
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

/// Progress in words.
enum ProgressText {
  /// The state in one line: phase, count with percentage, bytes, rate and remaining time, as far as known.
  ///
  /// If the line is too long, the bytes are omitted first, then the rate, then the time; the rest is truncated.
  static func text(_ progress: WorkProgress, elapsed: Duration, width: Int = .max) -> String {
    let (rate, left) = pace(progress, elapsed)
    let parts = [phase(progress.phase), count(progress), bytes(progress), rate, left]
    for dropped in [[], [2], [2, 3], [2, 3, 4]] {
      let line = parts.enumerated().compactMap { dropped.contains($0) ? nil : $1 }
        .joined(separator: "  ")
      if line.count <= width { return line }
    }
    return String([parts[0], parts[1]].compactMap(\.self).joined(separator: "  ").prefix(width))
  }

  /// The phase in words, such as `checking relationships`.
  static func phase(_ phase: WorkPhase) -> String {
    phase.rawValue.split(separator: "-").joined(separator: " ")
  }

  private static func count(_ progress: WorkProgress) -> String? {
    let completed = QuantityText.count(progress.completed)
    if let total = progress.total {
      let percent = total > 0 ? Double(progress.completed) / Double(total) * 100 : 100
      return "\(completed) of \(QuantityText.count(total)), \(Int(min(max(percent, 0), 100))) %"
    }
    return progress.completed > 0 ? completed : nil
  }

  private static func bytes(_ progress: WorkProgress) -> String? {
    guard let count = progress.byteCount, count > 0 else { return nil }
    return QuantityText.bytes(count)
  }

  /// The units per second and the remaining time, which are known after one second.
  private static func pace(
    _ progress: WorkProgress, _ elapsed: Duration
  ) -> (rate: String?, left: String?) {
    let seconds = elapsed / .seconds(1)
    guard seconds >= 1, progress.completed > 0 else { return (nil, nil) }
    let rate = Double(progress.completed) / seconds
    let text = "\(QuantityText.count(Int(rate)))/s"
    guard let total = progress.total, total > progress.completed else { return (text, nil) }
    let left = Int(min(Double(total - progress.completed) / rate, 3_600_000))
    return (text, "\(QuantityText.duration(seconds: left)) left")
  }
}
