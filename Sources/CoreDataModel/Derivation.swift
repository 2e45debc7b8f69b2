/// How a derived attribute is computed from other values.
public struct Derivation: Sendable, Equatable {
  /// The expression, such as a key path or `count:(items)`.
  public var expression: ModelExpression
  /// The condition that filters what is aggregated, or nil.
  public var filteringPredicate: ModelPredicate?

  /// Creates a derivation from an expression and an optional filter.
  public init(expression: ModelExpression, filteringPredicate: ModelPredicate? = nil) {
    self.expression = expression
    self.filteringPredicate = filteringPredicate
  }
}
