internal import CofferKit
internal import CoreDataModel

extension TextReport {
  func compared(
    _ difference: ModelDifference, _ mapping: ModelMapping, of files: (String, String),
    status: ExitStatus
  ) throws {
    let names = "\(printable(files.0)) and \(printable(files.1))"
    guard !difference.isEmpty else { return try line("\(names) have the same model") }
    let count = QuantityText.count(difference.changes.count, "difference")
    try line(style.bold("\(names): \(count)"))
    for change in difference.changes {
      let text = printable(change.description)
      switch change.kind {
      case .added: try line(style.green("+ \(text)"))
      case .removed: try line(style.red("- \(text)"))
      case .changed: try line(style.yellow("~ \(text)"))
      }
    }
    try line("")
    try line(
      style.bold(
        mapping.isPossible
          ? "Lightweight migration can carry a store from the first to the second."
          : "Lightweight migration cannot carry a store from the first to the second:"))
    try show(mapping.problems, indent: "  ")
    if mapping.isPossible { try show(mapping.conditions, indent: "  ") }
  }

  func routed(_ matrix: ModelMatrix, of path: String, status: ExitStatus) throws {
    let count = QuantityText.count(matrix.versions.count, "version")
    try line(
      style.bold("\(printable(path)): \(count), current \(printable(matrix.currentVersionName))"))
    let missing = matrix.missing
    for route in matrix.forward {
      let names = "\(route.source) → \(route.destination)"
      guard route.isPossible else {
        let text = printable("\(names): no way")
        try line(missing.contains(route) ? style.red(text) : text)
        try show(route.problems, indent: "    ")
        continue
      }
      let way =
        route.stepCount == 1
        ? "one step"
        : "\(QuantityText.count(route.stepCount, "step")): "
          + route.versions.joined(separator: " → ")
      try line(printable("\(names): \(way)"))
      try show(route.conditions, indent: "    ")
    }
    let current = printable(matrix.currentVersionName)
    let hasOlder = matrix.versions.first != matrix.currentVersionName
    let text =
      missing.isEmpty
      ? hasOlder
        ? "Stores of all older versions can be carried to \(current)."
        : "There is no version before \(current)."
      : "Stores of \(missing.map { printable($0.source) }.joined(separator: ", ")) "
        + "cannot be carried to \(current)."
    try line(missing.isEmpty ? style.green(text) : style.red(text))
  }

  private func show(_ problems: [MappingProblem], indent: String) throws {
    for problem in problems {
      try line(printable("\(indent)\(problem)"))
      try line(printable("\(indent)  \(problem.remedy.optionText)"))
    }
  }

  private func show(_ conditions: [MappingCondition], indent: String) throws {
    for condition in conditions {
      let place = condition.propertyName.map { "\(condition.entityName).\($0)" }
      try line(
        printable("\(indent)if \(place ?? condition.entityName): \(condition.sentence)"))
    }
  }
}
