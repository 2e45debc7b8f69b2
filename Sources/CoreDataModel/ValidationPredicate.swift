/// A rule that the values of a property must meet, with the warning of the model's author.
public struct ValidationPredicate: Sendable, Equatable {
  /// The rule.
  public var predicate: ModelPredicate
  /// The warning that belongs to it: a text or the number of an error; nil when there is none.
  public var warning: ModelValue?

  /// Creates a rule.
  public init(predicate: ModelPredicate, warning: ModelValue? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}
