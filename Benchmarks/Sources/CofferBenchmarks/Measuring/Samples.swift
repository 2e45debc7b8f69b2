/// The measurements of commands by their names, in the order of the rounds.
struct Samples {
  /// The names of the commands in the order of their first runs.
  private(set) var names: [String] = []
  private var measurements: [String: [Measurement]] = [:]
  /// Other numbers that rows need.
  var numbers: [String: Double] = [:]

  /// Adds a run of a command.
  mutating func add(_ measurement: Measurement, to name: String) {
    if measurements[name] == nil { names.append(name) }
    measurements[name, default: []].append(measurement)
  }

  /// The costs of a command, round by round; none if it did not run.
  func values(_ cost: Cost, of name: String) -> [Double] {
    (measurements[name] ?? []).map(cost.of)
  }

  /// How often the cost of the second command fits into that of the first one, round by round.
  func ratios(_ cost: Cost, _ name: String, to other: String) -> [Double] {
    zip(values(cost, of: name), values(cost, of: other)).map { $0 / $1 }
  }
}
