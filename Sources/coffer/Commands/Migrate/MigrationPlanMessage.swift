internal import CofferKit
internal import CoreDataModel

struct MigrationPlanMessage: ResultMessage {
  var plan: MigrationPlan
  /// The path of the store or archive, as given.
  var file: String

  var status: ExitStatus { plan.verdict.statusOfMigration }

  func write(to printer: TextPrinter) throws {
    for step in plan.steps {
      try printer.line(
        printer.style.bold(
          "From \(Terminal.printable(step.oldName)) to \(Terminal.printable(step.newName))"))
      if let name = step.mappingName, let mapping = step.mappingModel {
        try printer.line("  by the mapping model \(Terminal.printable(name))")
        try MappingModelMessage.show(mapping.entities, printer)
      } else {
        try show(step.mapping, printer)
      }
    }
    try NotesMessage(notes: plan.notes).write(to: printer)
    guard plan.isPossible else {
      try ProblemsMessage(problems: plan.problems).write(to: printer)
      let verdict = plan.verdict.text("it", hasOldNames: plan.problems.allSatisfy(\.hasOldName))
      return try printer.complaint.line(
        printer.complaintStyle.red("\(Terminal.printable(file)): \(verdict)"))
    }
    try printer.line(
      plan.areObjectsChecked && plan.steps.count == 1
        ? "\(Terminal.printable(file)) can be migrated"
        : "\(Terminal.printable(file)) can be migrated, if its objects meet the conditions")
  }

  func write(to printer: JSONPrinter) throws {
    for step in plan.steps { try show(step, printer) }
    try NotesMessage(notes: plan.notes).write(to: printer)
    try ProblemsMessage(problems: plan.problems).write(to: printer)
    try printer.summary(
      status,
      [
        "possible": plan.isPossible, "verdict": plan.verdict.rawValue, "steps": plan.steps.count,
        "detour": plan.isDetour, "objectsChecked": plan.areObjectsChecked,
        "problems": plan.problems.count,
      ])
  }

  private func show(_ mapping: ModelMapping, _ printer: TextPrinter) throws {
    for entity in mapping.entities {
      switch entity.kind {
      case .added:
        try printer.line(printer.style.green("+ \(Terminal.printable(entity.name.text))"))
      case .removed:
        try printer.line(printer.style.red("- \(Terminal.printable(entity.name.text))"))
      case .copied: try printer.line("  \(Terminal.printable(entity.name.text))")
      case .transformed: try show(entity, of: mapping, printer)
      }
    }
    for condition in mapping.conditions {
      let place = condition.propertyName.map { "\(condition.entityName).\($0)" }
      try printer.line(
        "  if \(Terminal.printable(place ?? condition.entityName.text)): \(Terminal.printable(condition.sentence))"
      )
    }
  }

  private func show(_ entity: EntityMapping, of mapping: ModelMapping, _ printer: TextPrinter)
    throws
  {
    let was = entity.isRenamed ? ", formerly \(entity.sourceName ?? "")" : ""
    try printer.line(printer.style.yellow("~ \(Terminal.printable(entity.name.text + was))"))
    for property in entity.properties where Self.isShown(property, at: entity, of: mapping) {
      let name = property.destination?.property ?? property.source?.property ?? ""
      if property.isAdded {
        try printer.line(printer.style.green("    + \(Terminal.printable(name.text))"))
      } else if property.isRemoved {
        try printer.line(printer.style.red("    - \(Terminal.printable(name.text))"))
      } else if !property.changes.isEmpty {
        let changes = property.changes.map { change in
          change == .renamed
            ? "formerly \(property.source?.property ?? "")" : change.description
        }
        try printer.line(
          printer.style.yellow(
            "    ~ \(Terminal.printable("\(name): \(changes.joined(separator: ", "))"))"))
      }
    }
  }

  /// Whether to print a property at an entity: only at the entity that declares it, not at entities
  /// that inherit it.
  private static func isShown(
    _ property: PropertyMapping, at entity: EntityMapping, of mapping: ModelMapping
  ) -> Bool {
    if let place = property.destination {
      return place.entity == entity.name
        || mapping.mapping(to: place.entity)?.kind == .added
    }
    guard let place = property.source else { return false }
    return entity.sourceName == place.entity
      || mapping.mapping(from: place.entity)?.kind == .removed
  }

  private func show(_ step: MigrationPlan.Step, _ printer: JSONPrinter) throws {
    try printer.line([
      "type": "step", "from": step.oldName, "to": step.newName,
      "mappingModel": orNull(step.mappingName),
    ])
    if let mapping = step.mappingModel {
      return try MappingModelMessage.show(mapping.entities, printer)
    }
    for entity in step.mapping.entities {
      try printer.line([
        "type": "mapping", "change": entity.kind.rawValue, "source": entity.sourceName?.text,
        "destination": entity.destinationName?.text,
        "properties": entity.properties.map { Self.object($0) },
      ])
    }
    for condition in step.mapping.conditions {
      try printer.line([
        "type": "condition", "entity": condition.entityName.text,
        "property": condition.propertyName?.text, "message": condition.sentence,
      ])
    }
  }

  private static func object(_ property: PropertyMapping) -> JSONMembers {
    [
      "kind": property.kind.rawValue, "source": property.source?.property.text,
      "sourceEntity": property.source?.entity.text,
      "destination": property.destination?.property.text,
      "destinationEntity": property.destination?.entity.text,
      "changes": property.changes.map(\.description),
    ]
  }
}
