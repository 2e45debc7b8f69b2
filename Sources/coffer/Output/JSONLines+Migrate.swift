internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func planned(_ plan: MigrationPlan, of file: String, status: ExitStatus) throws {
    for step in plan.steps { try show(step) }
    try show(plan.notes)
    try prevented(plan.problems)
    try summary(
      status,
      [
        "possible": .bool(plan.isPossible), "steps": Self.number(plan.steps.count),
        "detour": .bool(plan.isDetour), "objectsChecked": .bool(plan.areObjectsChecked),
        "problems": Self.number(plan.problems.count),
      ])
  }

  func migrated(_ summary: MigrationSummary, to store: String, status: ExitStatus) throws {
    try show(summary.notes)
    try self.summary(
      status,
      [
        "store": .string(store),
        "storeUUID": summary.storeUUID.map { .string($0) } ?? .null,
        "versions": .array(
          ([summary.plan.steps.first?.oldName ?? ""] + summary.plan.steps.map(\.newName))
            .map { .string($0) }),
        "steps": Self.number(summary.plan.steps.count),
        "objects": Self.number(summary.objectCount),
        "pairs": Self.number(summary.pairCount),
        "entities": Self.number(summary.entityCount),
        "externalFiles": Self.number(summary.externalFileCount),
      ])
  }

  func prevented(_ problems: [MappingProblem]) throws {
    for problem in problems {
      var object: JSONObject = [
        "code": .string(problem.code.text), "entity": .string(problem.entityName),
      ]
      object.append("property", Self.text(problem.propertyName))
      object.append("message", .string(problem.sentence))
      object.append("hint", .string(problem.remedy.optionText))
      try line("problem", object)
    }
  }

  private func show(_ notes: [MigrationNote]) throws {
    for note in notes where note.code != .noVersionHashes {
      try line("note", ["code": .string(note.code.text), "message": .string(note.text)])
    }
  }

  private func show(_ step: MigrationPlan.Step) throws {
    try line("step", ["from": .string(step.oldName), "to": .string(step.newName)])
    for entity in step.mapping.entities {
      var object: JSONObject = ["change": .string(entity.kind.rawValue)]
      object.append("source", Self.text(entity.sourceName))
      object.append("destination", Self.text(entity.destinationName))
      object.append("properties", .array(entity.properties.map { .object(Self.object($0)) }))
      try line("mapping", object)
    }
    for condition in step.mapping.conditions {
      var object: JSONObject = ["entity": .string(condition.entityName)]
      object.append("property", Self.text(condition.propertyName))
      object.append("message", .string(condition.sentence))
      try line("condition", object)
    }
  }

  private static func object(_ property: PropertyMapping) -> JSONObject {
    var object: JSONObject = ["kind": .string(property.kind.rawValue)]
    object.append("source", text(property.source?.propertyName))
    object.append("sourceEntity", text(property.source?.entityName))
    object.append("destination", text(property.destination?.propertyName))
    object.append("destinationEntity", text(property.destination?.entityName))
    object.append("changes", .array(property.changes.map { .string($0.description) }))
    return object
  }
}
