internal import CoreDataModel

/// The validations of an attribute: those that can be evaluated, and those that cannot.
struct ValidationRules {
  /// The conditions, each with the predicate that it was made from.
  private(set) var conditions: [(condition: ValueCondition, predicate: ModelPredicate)] = []
  /// The predicates that cannot be evaluated here.
  private(set) var notEvaluated: [ModelPredicate] = []
  /// What the values are compared as.
  let subject: ValueConditionBuilder.Subject

  /// Makes the conditions of an attribute whose column holds values of a type.
  init(_ attribute: AttributeDescription, _ type: AttributeType) {
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

  /// What must hold each by itself: of several conditions joined by AND those that can be evaluated
  /// still tell something.
  private static func parts(of predicate: ModelPredicate) -> [ModelPredicate] {
    if case .and(let parts) = predicate { parts.flatMap(Self.parts) } else { [predicate] }
  }
}
