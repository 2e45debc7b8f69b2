/// A row of the table of goals.
struct Row {
  let what: String
  /// The goal; nil where none was set.
  var goal: Goal?
  let unit: Unit
  /// The values of all rounds; none if it was not measured.
  let values: [Double]

  init(_ what: String, _ goal: Goal?, _ unit: Unit, _ values: [Double]) {
    self.what = what
    self.goal = goal
    self.unit = unit
    self.values = values
  }

  /// What stands in the columns of ``header``.
  var cells: [String] {
    let goalText = goal?.text(unit) ?? "–"
    guard let spread = Spread(values) else { return [what, goalText, "not measured", "", ""] }
    return [
      what, goalText, unit.text(spread.median),
      "\(unit.number(spread.least))–\(unit.number(spread.greatest)), n=\(values.count)",
      goal.map { $0.isMet(by: spread.median) ? "met" : "not met" } ?? "–",
    ]
  }

  static let header = ["what", "goal", "measured", "spread", ""]
}
