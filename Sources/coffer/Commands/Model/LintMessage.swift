internal import CofferKit
internal import CoreDataModel

/// The problems that the rules found in a model.
struct LintMessage: Message {
  var problems: [ModelProblem]
  /// The source of the model, as given.
  var path: String
  /// The number of entities in the model.
  var entityCount: Int
  var status: ExitStatus

  func write(to printer: TextPrinter) throws {
    var codes: [ModelRuleCode] = []
    for problem in problems where !codes.contains(problem.code) { codes.append(problem.code) }
    let sorted = codes.filter { $0.severity == .error } + codes.filter { $0.severity != .error }
    for code in sorted {
      let places = problems.filter { $0.code == code }
      let title = "\(code.severity.rawValue): \(code.text) (\(places.count))"
      try printer.line(
        code.severity == .error ? printer.style.red(title) : printer.style.yellow(title))
      for text in TextPrinter.paragraph("\(code.meaning) \(code.remedy)", width: 76) {
        try printer.line("  \(text)")
      }
      for problem in places {
        let detail = problem.detail.isEmpty ? "" : ": \(problem.detail)"
        try printer.line("    \(Terminal.printable(problem.place + detail))")
      }
      try printer.line("")
    }
    let entities = QuantityText.count(entityCount, "entity", "entities")
    let errors = problems.count { $0.code.severity == .error }
    let counts =
      problems.isEmpty
      ? "no problems"
      : "\(QuantityText.count(errors, "error")), "
        + QuantityText.count(problems.count - errors, "warning")
    try printer.line(printer.style.bold("\(Terminal.printable(path)): \(entities), \(counts)"))
  }

  func write(to printer: JSONPrinter) throws {
    for problem in problems {
      var object: JSONMembers = [
        "type": "problem", "severity": problem.code.severity.rawValue, "code": problem.code.text,
        "entity": problem.entityName.text, "property": problem.propertyName?.text,
        "message": problem.code.meaning,
      ]
      if !problem.detail.isEmpty { object.append("detail", problem.detail) }
      object.append("hint", problem.code.remedy)
      try printer.line(object)
    }
    let errors = problems.count { $0.code.severity == .error }
    try printer.summary(
      status,
      [
        "path": path, "entities": entityCount, "errors": errors,
        "warnings": problems.count - errors,
      ])
  }
}
