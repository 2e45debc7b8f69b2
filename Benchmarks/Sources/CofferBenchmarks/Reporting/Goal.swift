/// What a value has to reach.
enum Goal: Equatable {
  case atLeast(Double)
  case atMost(Double)

  /// Whether a value reaches it.
  func isMet(by value: Double) -> Bool {
    switch self {
    case .atLeast(let bound): value >= bound
    case .atMost(let bound): value <= bound
    }
  }

  /// The goal in words.
  func text(_ unit: Unit) -> String {
    switch self {
    case .atLeast(let bound): "≥ \(unit.text(bound))"
    case .atMost(let bound): "≤ \(unit.text(bound))"
    }
  }
}
