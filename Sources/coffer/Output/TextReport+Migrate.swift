internal import CofferKit
internal import CoreDataModel

extension TextReport {
  func planned(_ plan: MigrationPlan, of file: String, status: ExitStatus) throws {
    for step in plan.steps {
      try line(style.bold("From \(printable(step.oldName)) to \(printable(step.newName))"))
      try show(step.mapping)
    }
    try show(plan.notes)
    guard plan.isPossible else {
      try prevented(plan.problems)
      return try complaint.line(
        complaintStyle.red(
          "\(printable(file)) cannot be migrated without a mapping of the app's own"))
    }
    try line(
      plan.areObjectsChecked && plan.steps.count == 1
        ? "\(printable(file)) can be migrated"
        : "\(printable(file)) can be migrated, if its objects meet the conditions")
  }

  func migrated(_ summary: MigrationSummary, to store: String, status: ExitStatus) throws {
    let objects = QuantityText.count(summary.objectCount, "object")
    let entities = QuantityText.count(summary.entityCount, "entity", "entities")
    try line("Migrated \(objects) of \(entities) to \(printable(store))")
    let names = [summary.plan.steps.first?.oldName ?? ""] + summary.plan.steps.map(\.newName)
    try line("  model          \(names.map(printable).joined(separator: " → "))")
    if summary.pairCount > 0 {
      try line("  pairs          \(QuantityText.count(summary.pairCount))")
    }
    if summary.externalFileCount > 0 {
      try line("  external data  \(QuantityText.count(summary.externalFileCount, "file"))")
    }
    if let uuid = summary.storeUUID { try line("  store UUID     \(printable(uuid))") }
    try show(summary.notes)
  }

  func prevented(_ problems: [MappingProblem]) throws {
    for problem in problems {
      try complaint.line(complaintStyle.red(printable(problem.description)))
      try complaint.line("    \(printable(problem.remedy.optionText))")
    }
  }

  private func show(_ notes: [MigrationNote]) throws {
    for note in notes where !note.code.isWarning {
      try line(style.yellow("Note: \(printable(note.text))"))
    }
  }

  private func show(_ mapping: ModelMapping) throws {
    for entity in mapping.entities {
      switch entity.kind {
      case .added: try line(style.green("+ \(printable(entity.name))"))
      case .removed: try line(style.red("- \(printable(entity.name))"))
      case .copied: try line("  \(printable(entity.name))")
      case .transformed: try show(entity, of: mapping)
      }
    }
    for condition in mapping.conditions {
      let place = condition.propertyName.map { "\(condition.entityName).\($0)" }
      try line("  if \(printable(place ?? condition.entityName)): \(printable(condition.sentence))")
    }
  }

  private func show(_ entity: EntityMapping, of mapping: ModelMapping) throws {
    let was = entity.isRenamed ? ", was \(entity.sourceName ?? "")" : ""
    try line(style.yellow("~ \(printable(entity.name + was))"))
    for property in entity.properties where Self.isShown(property, at: entity, of: mapping) {
      let name = property.destination?.propertyName ?? property.source?.propertyName ?? ""
      if property.isAdded {
        try line(style.green("    + \(printable(name))"))
      } else if property.isRemoved {
        try line(style.red("    - \(printable(name))"))
      } else if !property.changes.isEmpty {
        let changes = property.changes.map { change in
          change == .renamed ? "was \(property.source?.propertyName ?? "")" : change.description
        }
        try line(style.yellow("    ~ \(printable("\(name): \(changes.joined(separator: ", "))"))"))
      }
    }
  }

  /// Whether a property is shown at an entity: where it is declared, and not again at those that inherit
  /// it.
  private static func isShown(
    _ property: PropertyMapping, at entity: EntityMapping, of mapping: ModelMapping
  ) -> Bool {
    if let place = property.destination {
      return place.entityName == entity.name
        || mapping.mapping(to: place.entityName)?.kind == .added
    }
    guard let place = property.source else { return false }
    return place.entityName == entity.sourceName
      || mapping.mapping(from: place.entityName)?.kind == .removed
  }
}
