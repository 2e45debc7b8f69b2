/// A validation rule for the values of a property, with its warning.
public struct ValidationPredicate: Sendable, Equatable {
  /// The rule.
  public var predicate: ModelPredicate
  /// The warning of the rule: a text or an error number; nil if there is none.
  public var warning: ModelValue?

  /// Creates a rule from a predicate and its warning.
  public init(predicate: ModelPredicate, warning: ModelValue? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}
