/// The severity of a finding.
public enum FindingSeverity: String, Sendable, Hashable, Comparable, CaseIterable {
  /// Worth knowing; nothing is wrong.
  case info
  /// Unusual; Core Data copes with it.
  case warning
  /// Wrong; the app may lose data, show nothing, or crash.
  case error

  /// Whether one severity is lower than the other.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }
}
