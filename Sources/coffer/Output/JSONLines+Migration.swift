internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func compared(
    _ difference: ModelDifference, _ mapping: ModelMapping, of files: (String, String),
    status: ExitStatus
  ) throws {
    for change in difference.changes {
      var object: JSONObject = [
        "change": .string(change.kind.rawValue), "entity": .string(change.entityName),
      ]
      object.append("property", Self.text(change.propertyName))
      object.append("aspect", Self.text(change.aspect?.rawValue))
      object.append("old", Self.text(change.oldValue))
      object.append("new", Self.text(change.newValue))
      try line("change", object)
    }
    for problem in mapping.problems { try line("problem", Self.members(problem)) }
    for condition in mapping.conditions { try line("condition", Self.members(condition)) }
    try summary(
      status,
      [
        "first": .string(files.0), "second": .string(files.1),
        "equal": .bool(difference.isEmpty), "changes": Self.number(difference.changes.count),
        "possible": .bool(mapping.isPossible), "problems": Self.number(mapping.problems.count),
      ])
  }

  func routed(_ matrix: ModelMatrix, of path: String, status: ExitStatus) throws {
    for route in matrix.routes {
      try line(
        "route",
        [
          "from": .string(route.source), "to": .string(route.destination),
          "possible": .bool(route.isPossible), "steps": Self.number(route.stepCount),
          "via": .array(route.versions.map(JSONValue.string)),
          "problems": .array(route.problems.map { .object(Self.members($0)) }),
          "conditions": .array(route.conditions.map { .object(Self.members($0)) }),
        ])
    }
    try summary(
      status,
      [
        "path": .string(path), "versions": .array(matrix.versions.map(JSONValue.string)),
        "current": .string(matrix.currentVersionName),
        "missing": .array(matrix.missing.map { .string($0.source) }),
      ])
  }

  private static func members(_ problem: MappingProblem) -> JSONObject {
    var object: JSONObject = [
      "severity": .string(FindingSeverity.error.rawValue), "code": .string(problem.code.text),
      "entity": .string(problem.entityName),
    ]
    object.append("property", text(problem.propertyName))
    object.append("message", .string(problem.sentence))
    object.append("hint", .string(problem.remedy.optionText))
    return object
  }

  private static func members(_ condition: MappingCondition) -> JSONObject {
    var object: JSONObject = ["entity": .string(condition.entityName)]
    object.append("property", text(condition.propertyName))
    object.append("message", .string(condition.sentence))
    return object
  }
}
