internal import CofferKit
internal import Synchronization

/// Shows how far the work is, in one line of standard error that is written over again and again.
///
/// Where standard error is no terminal and progress is wanted all the same, each state is a line of
/// its own.
final class ProgressLine: ProgressReporter {
  /// What is known of the phase that is being worked on.
  private struct State {
    var phase = ""
    var began: ContinuousClock.Instant?
    var shown: ContinuousClock.Instant?
    var isVisible = false
  }

  /// The least time between two states that are shown.
  private static let interval = Duration.milliseconds(100)
  /// The most characters of a line; a longer one could wrap and would not be erased.
  private static let width = 78

  private let stream: StandardStream
  private let isTerminal: Bool
  private let clock = ContinuousClock()
  private let state = Mutex(State())

  /// Creates a line on a stream.
  init(_ stream: StandardStream) {
    self.stream = stream
    isTerminal = stream.isTerminal
  }

  func report(_ progress: WorkProgress) {
    let now = clock.now
    state.withLock { state in
      if state.phase != progress.phase {
        state.phase = progress.phase
        state.began = now
      }
      if let shown = state.shown, now - shown < Self.interval { return }
      state.shown = now
      let line = Self.text(progress, elapsed: state.began.map { now - $0 } ?? .zero)
      write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
      state.isVisible = isTerminal
    }
  }

  /// Removes the line, so that other text can be written.
  func erase() {
    state.withLock { state in
      if state.isVisible { write("\r\u{1B}[K") }
      state.isVisible = false
    }
  }

  private func write(_ text: String) {
    // Whether progress can be seen must not decide whether the work is done.
    try? stream.write(Array(text.utf8))
  }

  /// The state in words: phase, count, rate and the time that is left, as far as they are known.
  static func text(_ progress: WorkProgress, elapsed: Duration) -> String {
    var parts = [Terminal.printable(progress.phase)]
    let completed = progress.completed
    if let total = progress.total {
      parts.append("\(QuantityText.count(completed)) of \(QuantityText.count(total))")
    } else if completed > 0 {
      parts.append(QuantityText.count(completed))
    }
    let seconds = elapsed / .seconds(1)
    if seconds >= 1, completed > 0 {
      let rate = Double(completed) / seconds
      parts.append("\(QuantityText.count(Int(rate)))/s")
      if let total = progress.total, total > completed {
        let left = Int(min(Double(total - completed) / rate, 3_600_000))
        parts.append("\(QuantityText.duration(seconds: left)) left")
      }
    }
    return String(parts.joined(separator: "  ").prefix(width))
  }
}
