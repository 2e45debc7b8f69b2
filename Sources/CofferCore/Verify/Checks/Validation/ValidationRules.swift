package import CoreDataModel

/// The validations of an attribute that can be evaluated, and those that cannot.
package struct ValidationRules {
  /// The conditions, each with its predicate.
  package private(set) var conditions: [(condition: ValueCondition, predicate: ModelPredicate)] = []
  /// The predicates that cannot be evaluated.
  package private(set) var notEvaluated: [ModelPredicate] = []
  /// How the values are compared.
  package let subject: ValueConditionBuilder.Subject

  /// Builds the conditions of an attribute with values of a type.
  package init(_ attribute: AttributeDescription, _ type: AttributeType) {
    let builder = ValueConditionBuilder(type)
    subject = builder.subject
    for predicate in attribute.validationPredicates.flatMap({ Self.parts(of: $0.predicate) }) {
      if let condition = builder.condition(predicate) {
        conditions.append((condition, predicate))
      } else {
        notEvaluated.append(predicate)
      }
    }
  }

  /// The operands of AND, each on its own, so that those that can be evaluated are still checked.
  private static func parts(of predicate: ModelPredicate) -> [ModelPredicate] {
    if case .and(let parts) = predicate { parts.flatMap(Self.parts) } else { [predicate] }
  }
}
