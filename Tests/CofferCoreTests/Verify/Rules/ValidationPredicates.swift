internal import CoreDataModel

/// A comparison by Core Data's number of the operator.
func compare(
  _ left: ModelExpression, _ number: Int, _ right: ModelExpression
) -> ModelPredicate {
  .comparison(left, .init(rawValue: number), right)
}

/// That the value is a number or a greater one.
func atLeast(_ number: Int64) -> ModelPredicate {
  compare(.evaluatedObject, 3, .constant(.integer(number)))
}

extension AttributeDescription {
  /// An attribute with validations.
  init(validatedBy predicates: [ModelPredicate]) {
    self.init(
      name: "value", type: .string,
      validationPredicates: predicates.map { ValidationPredicate(predicate: $0) })
  }
}
