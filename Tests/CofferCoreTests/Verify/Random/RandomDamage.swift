/// A kind of damage that can be done to any store at a place chosen at random.
struct RandomDamage: Sendable, CustomStringConvertible {
  /// What must be found: a code, and the object where one can be named.
  struct Expectation {
    /// The text of the code.
    var code: String
    /// The object, such as `Person/p7`; nil where the finding names none or one of several.
    var object: String?
  }

  /// The name of the kind.
  let description: String
  /// Does the damage; nil, and nothing done, where the store has no place for it.
  let apply: @Sendable (inout DamageWorkshop) throws -> Expectation?

  init(
    _ name: String, _ apply: @escaping @Sendable (inout DamageWorkshop) throws -> Expectation?
  ) {
    description = name
    self.apply = apply
  }

  /// All kinds.
  static let all = objects + references + order + values + administration + files
}
