/// How a value is shown.
enum Unit {
  /// So many times as fast as the other.
  case timesFaster
  /// So many times the cost of the other.
  case times
  /// The ratio in percent.
  case percent
  /// Bytes, in units of 1,048,576.
  case mebibytes
  /// Bytes, in thousands.
  case kilobytes
  /// Seconds, in thousandths.
  case milliseconds

  /// The value with its unit.
  func text(_ value: Double) -> String {
    switch self {
    case .timesFaster: "\(value.fixed(2))× faster"
    case .times: "\(value.fixed(2))×"
    case .percent: "\((value * 100).fixed(1)) %"
    case .mebibytes: "\((value / 1_048_576).fixed(1)) MiB"
    case .kilobytes: "\((value / 1000).fixed(1)) kB"
    case .milliseconds: "\((value * 1000).fixed(1)) ms"
    }
  }

  /// The value alone, for the bounds of a spread.
  func number(_ value: Double) -> String {
    switch self {
    case .timesFaster, .times: value.fixed(2)
    case .percent: (value * 100).fixed(1)
    case .mebibytes: (value / 1_048_576).fixed(1)
    case .kilobytes: (value / 1000).fixed(1)
    case .milliseconds: (value * 1000).fixed(1)
    }
  }
}
