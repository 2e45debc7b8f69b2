internal import CofferKit

/// Progress in words.
enum ProgressText {
  /// The state in one line: phase, count, bytes, rate and remaining time, as far as known.
  ///
  /// - Parameters:
  ///   - progress: the state.
  ///   - elapsed: the time since the phase started.
  ///   - width: the maximum number of characters. If the line is too long, the bytes are omitted
  ///     first, then the rate, then the time; the rest is truncated.
  /// - Returns: the line, without a line feed.
  static func text(
    _ progress: WorkProgress, elapsed: Duration, width: Int = .max
  ) -> String {
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
    if let total = progress.total { return "\(completed) of \(QuantityText.count(total))" }
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
