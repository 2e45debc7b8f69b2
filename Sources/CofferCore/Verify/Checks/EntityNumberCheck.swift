internal import CoreDataModel
internal import CoreDataStore

/// Checks the entity numbers, which rows use to name their entity.
final class EntityNumberCheck: RunCheck, Check {
  static let name = CheckName.entityNumbers

  func finish() throws {
    guard let registry = context.administration.registry else {
      // A model without entities has nothing to number.
      if context.subject.model.entities.isEmpty, !context.subject.modelIsInferred { return }
      return try context.report(.missingNumbering)
    }
    let model = context.subject.model
    let numbering = EntityNumbering(model: model, registry: registry)
    for entity in model.entities { try checkName(of: entity.name, numbering, registry) }
    for row in numbering.unmatchedRows {
      try context.report(
        .surplusEntity, entityName: row.name.isEmpty ? nil : row.name,
        detail: "number \(row.number)")
    }
    for misplaced in EntityOrderAudit(numbering, model).misplacements {
      try context.report(
        .unexpectedEntityNumber, entityName: misplaced.entity,
        detail: "\(misplaced.number) instead of \(misplaced.expected)")
    }
    for entity in model.entities { try checkSuperentity(of: entity, numbering, registry) }
  }

  private func checkName(
    of entity: Name, _ numbering: EntityNumbering, _ registry: EntityRegistry
  ) throws {
    let number = numbering.number(of: entity)
    let name = number.flatMap { registry.row($0)?.name } ?? ""
    switch numbering.matches[entity] {
    case .name?: break
    case .renamingIdentifier?:
      try context.report(.renamedEntity, entityName: entity, detail: "as \(name)")
    case .computedNumber?:
      let other = name.isEmpty ? "no name" : "the name \(name)"
      try context.report(
        .unnumberedEntity, entityName: entity,
        detail: "number \(number ?? 0), the number that it should have, has \(other)")
    case nil: try context.report(.unnumberedEntity, entityName: entity)
    }
  }

  private func checkSuperentity(
    of entity: EntityDescription, _ numbering: EntityNumbering, _ registry: EntityRegistry
  ) throws {
    guard let number = numbering.number(of: entity.name), let row = registry.row(number) else {
      return
    }
    var expected: Int64 = 0
    if let superentity = entity.superentityName {
      // A superentity without a number is reported separately.
      guard let above = numbering.number(of: superentity) else { return }
      expected = above
    }
    if row.superentityNumber != expected {
      let found = row.superentityNumber.map { "number \($0)" } ?? "no number"
      try context.report(
        .wrongSuperentity, entityName: entity.name, detail: "\(found) instead of \(expected)")
    }
  }
}
