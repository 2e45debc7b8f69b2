internal import CofferKit
internal import CoreDataModel

/// The versions of a model between which stores can migrate.
struct ModelMatrixMessage: ResultMessage {
  var matrix: ModelMatrix
  /// The path of the folder of versions, as given.
  var path: String

  var status: ExitStatus { matrix.verdict.status }

  func write(to printer: TextPrinter) throws {
    let count = QuantityText.count(matrix.versions.count, "version")
    try printer.line(
      printer.style.bold(
        "\(Terminal.printable(path)): \(count), current \(Terminal.printable(matrix.currentVersionName))"
      ))
    let missing = matrix.missing
    for route in matrix.forward {
      let names = "\(route.source) → \(route.destination)"
      guard route.isPossible else {
        let text = Terminal.printable("\(names): no path: \(route.verdict.text("them"))")
        try printer.line(missing.contains(route) ? printer.style.red(text) : text)
        try printer.show(route.problems, indent: "    ")
        continue
      }
      let way =
        route.stepCount == 1
        ? "one step"
        : "\(QuantityText.count(route.stepCount, "step")): "
          + route.versions.joined(separator: " → ")
      try printer.line(
        Terminal.printable(
          "\(names): \(way)\(Self.mappings(of: route))\(Self.condition(of: route))"
            + Self.keeping(of: route)))
      try printer.show(route.open, indent: "    ")
      try printer.show(route.conditions, indent: "    ")
    }
    try showResult(printer)
  }

  /// The mapping models of a route that has some, behind its steps.
  private static func mappings(of route: ModelMatrix.Route) -> String {
    let names = route.mappingNames.compactMap(\.self)
    return names.isEmpty ? "" : ", by \(names.joined(separator: ", "))"
  }

  /// The route that keeps objects which one step would leave behind, behind its steps.
  private static func keeping(of route: ModelMatrix.Route) -> String {
    guard !route.keepingVersions.isEmpty else { return "" }
    let count = QuantityText.count(route.keepingVersions.count - 1, "step")
    let names = route.keepingVersions.joined(separator: " → ")
    return "; \(count) if that would leave most objects behind: \(names)"
  }

  /// The condition of a route that has one, behind its steps.
  private static func condition(of route: ModelMatrix.Route) -> String {
    switch route.verdict {
    case .possible: return ""
    case .needsExample:
      let names = exampleEntities(of: route).listed(max: 6)
      return
        "; condition: a store of \(route.destination), or of another version with the same \(names) "
        + "(--like), or the old names (--keep-names)"
    default: return "; condition: \(route.verdict.text("them"))"
    }
  }

  /// The entities that a store must have as in the new model, to show what that leaves open.
  private static func exampleEntities(of route: ModelMatrix.Route) -> [Name] {
    Set(route.open.filter { $0.code == .undecidedNames }.map(\.entityName)).sorted()
  }

  /// Prints one sentence for all versions, or one for each verdict if there are several.
  private func showResult(_ printer: TextPrinter) throws {
    let current = Terminal.printable(matrix.currentVersionName)
    guard !matrix.needed.isEmpty else {
      return try printer.line(printer.style.green("There is no version before \(current)."))
    }
    if matrix.verdict == .possible {
      return try printer.line(
        printer.style.green("Stores of all older versions can be migrated to \(current)."))
    }
    for verdict in MigrationVerdict.allCases {
      let names = matrix.needed.filter { $0.verdict == verdict }.map(\.source)
      guard !names.isEmpty else { continue }
      let text = Terminal.printable(
        "Stores of \(names.joined(separator: ", ")), to \(matrix.currentVersionName): "
          + "\(verdict.text("them")).")
      try printer.line(verdict == .possible ? printer.style.green(text) : printer.style.red(text))
    }
  }

  func write(to printer: JSONPrinter) throws {
    for route in matrix.routes {
      try printer.line([
        "type": "route", "from": route.source, "to": route.destination,
        "possible": route.isPossible, "steps": route.stepCount, "via": route.versions,
        "mappingModels": route.mappingNames.map { orNull($0) },
        "keepingVia": route.keepingVersions, "verdict": route.verdict.rawValue,
        "problems": (route.problems + route.open).map(\.members),
        "exampleEntities": Self.exampleEntities(of: route).map(\.text),
        "conditions": route.conditions.map(\.members),
      ])
    }
    try printer.summary(
      status,
      [
        "path": path, "versions": matrix.versions, "current": matrix.currentVersionName,
        "verdict": matrix.verdict.rawValue, "missing": matrix.missing.map(\.source),
      ])
  }
}

extension TextPrinter {
  /// Prints problems, each with its remedy.
  func show(_ problems: [MappingProblem], indent: String) throws {
    for problem in problems {
      try line(Terminal.printable("\(indent)\(problem)"))
      try line(Terminal.printable("\(indent)  \(problem.remedy.optionText)"))
    }
  }

  /// Prints conditions that objects must meet.
  func show(_ conditions: [MappingCondition], indent: String) throws {
    for condition in conditions {
      let place = condition.propertyName.map { "\(condition.entityName).\($0)" }
      try line(
        Terminal.printable(
          "\(indent)if \(place ?? condition.entityName.text): \(condition.sentence)"))
    }
  }
}

extension MappingProblem {
  var members: JSONMembers {
    [
      "severity": FindingSeverity.error.rawValue, "code": code.text, "entity": entityName.text,
      "property": propertyName?.text, "message": sentence, "hint": remedy.optionText,
    ]
  }
}

extension MappingCondition {
  var members: JSONMembers {
    ["entity": entityName.text, "property": propertyName?.text, "message": sentence]
  }
}
