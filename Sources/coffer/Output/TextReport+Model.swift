internal import CofferKit
internal import CoreDataModel

extension TextReport {
  func shown(_ model: ManagedObjectModel, of path: String) throws {
    for (index, block) in ModelText(model).blocks.enumerated() {
      if index > 0 { try line("") }
      try line(style.bold(printable(block.title)))
      for text in block.lines { try line(printable(text)) }
    }
  }

  func wrote(_ model: ManagedObjectModel, as format: ModelFormat, to path: String) throws {
    let entities = QuantityText.count(model.entities.count, "entity", "entities")
    try line("Wrote \(printable(path)): \(format.words) of \(entities)")
  }

  func linted(
    _ problems: [ModelProblem], of path: String, entityCount: Int, status: ExitStatus
  ) throws {
    var codes: [ModelRuleCode] = []
    for problem in problems where !codes.contains(problem.code) { codes.append(problem.code) }
    let sorted =
      codes.filter { $0.severity == .error } + codes.filter { $0.severity != .error }
    for code in sorted {
      let places = problems.filter { $0.code == code }
      let title = "\(code.severity.rawValue): \(code.text) (\(places.count))"
      try line(code.severity == .error ? style.red(title) : style.yellow(title))
      for text in Paragraph.lines("\(code.meaning) \(code.remedy)", width: 76) {
        try line("  \(text)")
      }
      for problem in places {
        let detail = problem.detail.isEmpty ? "" : ": \(problem.detail)"
        try line("    \(printable(problem.place + detail))")
      }
      try line("")
    }
    let entities = QuantityText.count(entityCount, "entity", "entities")
    let errors = problems.count { $0.code.severity == .error }
    let counts =
      problems.isEmpty
      ? "no problems"
      : "\(QuantityText.count(errors, "error")), "
        + QuantityText.count(problems.count - errors, "warning")
    try line(style.bold("\(printable(path)): \(entities), \(counts)"))
  }
}
