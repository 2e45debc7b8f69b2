internal import CoreDataModel

/// Makes sure that every part of a condition can be evaluated, before anything is read.
struct ConditionCheck {
  let names: ConditionNames
  let place: String

  /// - Throws: ``CofferError``: `invalid-condition`, `no-such-property`.
  func check(_ predicate: ModelPredicate) throws(CofferError) {
    switch predicate {
    case .not(let part): try check(part)
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .comparison(let left, let comparison, let right):
      guard ConditionComparison.isKnown(comparison) else {
        throw refusal("the operator \(comparison.symbol)")
      }
      try check(left)
      try check(right)
    case .other: throw refusal("a part of the condition")
    }
  }

  private func check(_ expression: ModelExpression) throws(CofferError) {
    switch expression {
    case .evaluatedObject: return
    case .constant(let value):
      guard ConditionOperand(value) != nil else { throw refusal("a constant") }
    case .aggregate(let elements): for element in elements { try check(element) }
    case .keyPath(nil, let path):
      guard names.contains(path) else {
        throw CofferError(
          .noSuchProperty, path: place,
          detail: "\(path) is no attribute and no to-one relationship",
          advice: "There are: \(names.all.joined(separator: ", "))")
      }
    case .keyPath: throw refusal("a key path of an expression")
    case .function(_, let name, _): throw refusal("the function \(name)")
    case .variable(let name): throw refusal("the variable $\(name)")
    case .other: throw refusal("an expression")
    }
  }

  private func refusal(_ what: String) -> CofferError {
    CofferError(
      .invalidCondition, path: place, detail: "\(what) cannot be evaluated here",
      advice: "Compare attributes and to-one relationships with constants.")
  }
}
