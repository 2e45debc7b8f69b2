internal import CoreDataModel

/// Makes sure that every part of a condition can be evaluated, before anything is read.
struct ConditionCheck {
  let names: ConditionNames
  let place: String

  /// - Throws: ``QueryError``: `invalid-condition`, `no-such-property`.
  func check(_ predicate: ModelPredicate) throws(QueryError) {
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

  private func check(_ expression: ModelExpression) throws(QueryError) {
    switch expression {
    case .evaluatedObject: return
    case .constant(let value):
      guard ConditionOperand(value) != nil else { throw refusal("a constant") }
    case .aggregate(let elements): for element in elements { try check(element) }
    case .keyPath(nil, let path):
      guard names.contains(path) else {
        throw QueryError(
          .noProperty, place: place, detail: "\(path) is no attribute and no to-one relationship",
          hint: "There are: \(names.all.joined(separator: ", "))")
      }
    case .keyPath: throw refusal("a key path of an expression")
    case .function(_, let name, _): throw refusal("the function \(name)")
    case .variable(let name): throw refusal("the variable $\(name)")
    case .other: throw refusal("an expression")
    }
  }

  private func refusal(_ what: String) -> QueryError {
    QueryError(
      .condition, place: place, detail: "\(what) cannot be evaluated here",
      hint: "Compare attributes and to-one relationships with constants.")
  }
}
