internal import CoreDataLayout
internal import CoreDataModel

/// Checks values against the validations of the model, and reports validations that cannot be
/// evaluated.
final class ValidationCheck: Check {
  static let name = CheckName.validation
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext

  init(_ context: VerificationContext) { self.context = context }

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
    _ attribute: AttributeDescription, _ name: String, _ entity: String
  ) throws {
    try report(ValidationRules(attribute, attribute.type).notEvaluated, name, entity)
    for element in attribute.elements {
      try reportNotEvaluated(element, "\(name).\(element.name)", entity)
    }
  }

  private func report(_ predicates: [ModelPredicate], _ property: String, _ entity: String) throws {
    guard !predicates.isEmpty else { return }
    try context.report(
      Finding(
        .validationNotEvaluated, entityName: entity, propertyName: property,
        detail: predicates.map(\.formatDescription).joined(separator: ", ")))
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .entity else { return nil }
    var steps: [(entityName: String, step: Step)] = []
    var rules: [(propertyName: String, predicate: ModelPredicate)] = []
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
    return plans.isEmpty ? nil : Visitor(table, plans, rules, context)
  }

  /// A condition for the values of a column, and the index of its rule.
  private struct Step {
    let test: ValueTest
    let rule: Int
  }

  private final class Visitor: RowVisitor {
    private let table: VerifiedTable
    private let plans: EntityPlans<Step>
    private let rules: [(propertyName: String, predicate: ModelPredicate)]
    private let context: VerificationContext

    init(
      _ table: VerifiedTable, _ plans: EntityPlans<Step>,
      _ rules: [(propertyName: String, predicate: ModelPredicate)], _ context: VerificationContext
    ) {
      self.table = table
      self.plans = plans
      self.rules = rules
      self.context = context
    }

    func visit(_ row: Row) throws {
      for index in plans.indices(for: row) where !plans[index].test.passes(row) {
        let rule = rules[plans[index].rule]
        try context.report(
          Finding(
            .invalidValue, objectID: context.objectID(row, in: table),
            propertyName: rule.propertyName, detail: rule.predicate.formatDescription))
      }
    }
  }
}
