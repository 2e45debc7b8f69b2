internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks values against the validations of the model, and reports validations that cannot be
/// evaluated.
final class ValidationCheck: RunCheck, Check {
  static let name = CheckName.validation
  static let modelNeed = ModelNeed.whole

  func prepare() throws {
    for entity in context.subject.model.entities {
      for attribute in entity.attributes where !attribute.isTransient {
        try reportNotEvaluated(attribute, attribute.name, entity.name)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        try report(
          relationship.validationPredicates.map(\.predicate), relationship.name, entity.name)
      }
    }
  }

  private func reportNotEvaluated(
    _ attribute: AttributeDescription, _ name: Name, _ entity: Name
  ) throws {
    try report(ValidationRules(attribute, attribute.type).notEvaluated, name, entity)
    for element in attribute.elements {
      try reportNotEvaluated(element, "\(name).\(element.name)", entity)
    }
  }

  private func report(_ predicates: [ModelPredicate], _ property: Name, _ entity: Name) throws {
    guard !predicates.isEmpty else { return }
    try context.report(
      .validationNotEvaluated, entityName: entity, propertyName: property,
      detail: predicates.map(\.formatDescription).joined(separator: ", "))
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity else { return nil }
    var steps: [(entityName: Name, step: Step)] = []
    var rules: [(propertyName: Name, predicate: ModelPredicate)] = []
    for column in AttributeColumn.all(of: table, context.subject.model) {
      let own = ValidationRules(column.attribute, column.type)
      for (condition, predicate) in own.conditions {
        let test = ValueTest(
          column: column.column, subject: own.subject, isExternal: column.isExternal,
          condition: condition)
        steps.append((column.entityName, Step(test: test, rule: rules.count)))
        rules.append((column.name, predicate))
      }
    }
    let plans = EntityPlans(context, steps)
    if plans.isEmpty { return nil }
    return RowVisitor { [context] row in
      for index in plans.indices(for: row) where !plans[index].test.passes(row) {
        let rule = rules[plans[index].rule]
        try context.report(
          .invalidValue, objectID: context.objectID(row, in: table),
          propertyName: rule.propertyName, detail: rule.predicate.formatDescription)
      }
    }
  }

  /// A condition for the values of a column, and the index of its rule.
  private struct Step {
    let test: ValueTest
    let rule: Int
  }
}

/// A condition for the values of one column.
struct ValueTest {
  let column: Int
  let subject: ValueConditionBuilder.Subject
  /// Whether a marker before the bytes records their place.
  let isExternal: Bool
  let condition: ValueCondition

  /// Whether the value of a row meets the condition, is missing, or cannot be evaluated.
  func passes(_ row: Row) -> Bool {
    if row.isNull(column) { return true }
    switch subject {
    case .number, .date: return unsafe condition.holds(number(row), nil) != false
    case .binary: return unsafe condition.holds(size(row), nil) != false
    case .text:
      guard row.storageClass(column) == .text, let text = unsafe row.bytes(column) else {
        return true
      }
      let length = unsafe UTF8Text.utf16Count(text)
      return unsafe condition.holds(.integer(Int64(length)), text) != false
    case .other: return unsafe condition.holds(nil, nil) != false
    }
  }

  private func number(_ row: Row) -> StoredNumber? {
    switch row.storageClass(column) {
    case .integer: row.integer(column).map(StoredNumber.integer)
    case .real: row.number(column).map(StoredNumber.real)
    default: nil
    }
  }

  /// The number of bytes; nil if they are in a file.
  private func size(_ row: Row) -> StoredNumber? {
    guard row.storageClass(column) == .blob else { return nil }
    let size = Int64(row.size(column))
    if !isExternal { return .integer(size) }
    // After a 1 comes the value itself, after a 2 the name of its file.
    return row.firstByte(column) == 1 ? .integer(size &- 1) : nil
  }
}
