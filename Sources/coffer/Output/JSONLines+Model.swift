internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func shown(_ model: ManagedObjectModel, of path: String) throws {
    for entity in model.entities {
      guard case .object(let object) = ModelDocument.encode(entity) else { continue }
      try line("entity", object)
    }
    try summary(.done, Self.counts(model, path))
  }

  func wrote(_ model: ManagedObjectModel, as format: ModelFormat, to path: String) throws {
    var members = Self.counts(model, path)
    members.append("format", .string(format.rawValue))
    try summary(.done, members)
  }

  func linted(
    _ problems: [ModelProblem], of path: String, entityCount: Int, status: ExitStatus
  ) throws {
    for problem in problems {
      var object: JSONObject = [
        "severity": .string(problem.code.severity.rawValue), "code": .string(problem.code.text),
        "entity": .string(problem.entityName),
      ]
      object.append("property", Self.text(problem.propertyName))
      object.append("message", .string(problem.code.meaning))
      if !problem.detail.isEmpty { object.append("detail", .string(problem.detail)) }
      object.append("hint", .string(problem.code.remedy))
      try line("problem", object)
    }
    let errors = problems.count { $0.code.severity == .error }
    try summary(
      status,
      [
        "path": .string(path), "entities": Self.number(entityCount),
        "errors": Self.number(errors), "warnings": Self.number(problems.count - errors),
      ])
  }

  private static func counts(_ model: ManagedObjectModel, _ path: String) -> JSONObject {
    [
      "path": .string(path), "entities": number(model.entities.count),
      "attributes": number(model.entities.reduce(0) { $0 + $1.attributes.count }),
      "relationships": number(model.entities.reduce(0) { $0 + $1.relationships.count }),
      "versionIdentifiers": .array(model.versionIdentifiers.map(JSONValue.string)),
    ]
  }
}
