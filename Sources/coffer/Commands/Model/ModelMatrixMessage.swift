internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The versions of a model between which stores can migrate.
struct ModelMatrixMessage: Message {
  var matrix: ModelMatrix
  /// The path of the folder of versions, as given.
  var path: String

  /// The exit status.
  var status: ExitStatus { matrix.missing.isEmpty ? .done : .findings }

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
        let text = Terminal.printable("\(names): no way")
        try printer.line(missing.contains(route) ? printer.style.red(text) : text)
        try printer.show(route.problems, indent: "    ")
        continue
      }
      let way =
        route.stepCount == 1
        ? "one step"
        : "\(QuantityText.count(route.stepCount, "step")): "
          + route.versions.joined(separator: " → ")
      try printer.line(Terminal.printable("\(names): \(way)"))
      try printer.show(route.conditions, indent: "    ")
    }
    let current = Terminal.printable(matrix.currentVersionName)
    let hasOlder = matrix.versions.first != matrix.currentVersionName
    let text =
      missing.isEmpty
      ? hasOlder
        ? "Stores of all older versions can be migrated to \(current)."
        : "There is no version before \(current)."
      : "Stores of \(missing.map { Terminal.printable($0.source) }.joined(separator: ", ")) "
        + "cannot be migrated to \(current)."
    try printer.line(missing.isEmpty ? printer.style.green(text) : printer.style.red(text))
  }

  func write(to printer: JSONPrinter) throws {
    for route in matrix.routes {
      try printer.line(
        "route",
        [
          "from": .string(route.source), "to": .string(route.destination),
          "possible": .bool(route.isPossible), "steps": .number(route.stepCount),
          "via": .array(route.versions.map(JSONValue.string)),
          "problems": .array(route.problems.map { .object($0.members) }),
          "conditions": .array(route.conditions.map { .object($0.members) }),
        ])
    }
    try printer.summary(
      status,
      [
        "path": .string(path), "versions": .array(matrix.versions.map(JSONValue.string)),
        "current": .string(matrix.currentVersionName),
        "missing": .array(matrix.missing.map { .string($0.source) }),
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
        Terminal.printable("\(indent)if \(place ?? condition.entityName): \(condition.sentence)"))
    }
  }
}

extension MappingProblem {
  /// The problem as JSON.
  var members: JSONObject {
    var object: JSONObject = [
      "severity": .string(FindingSeverity.error.rawValue), "code": .string(code.text),
      "entity": .string(entityName),
    ]
    object.append("property", .text(propertyName))
    object.append("message", .string(sentence))
    object.append("hint", .string(remedy.optionText))
    return object
  }
}

extension MappingCondition {
  /// The condition as JSON.
  var members: JSONObject {
    var object: JSONObject = ["entity": .string(entityName)]
    object.append("property", .text(propertyName))
    object.append("message", .string(sentence))
    return object
  }
}
