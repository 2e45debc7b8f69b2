/// A condition of a model: a validation rule, the filter of a partial index or of a derivation.
public indirect enum ModelPredicate: Sendable, Equatable {
  /// Two expressions compared by an operator.
  case comparison(ModelExpression, Operator, ModelExpression)
  /// The opposite of a condition.
  case not(ModelPredicate)
  /// All of several conditions.
  case and([ModelPredicate])
  /// Any of several conditions.
  case or([ModelPredicate])
  /// A condition of a form that is not known here, as it stands in the source.
  case other(ModelValue)

  /// Reads the text of a predicate, in the syntax of Foundation's predicate format without `%` arguments,
  /// subqueries and assignments.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for a text that is none, `model-limit` for one that is
  ///   nested too deeply.
  public init(parsing text: String) throws(CofferError) {
    self = try PredicateParser.predicate(text)
  }

  /// The operator of a comparison, by Core Data's number.
  public struct Operator: RawRepresentable, Sendable, Hashable {
    /// Core Data's number.
    public let rawValue: Int
    /// How a to-many left side is compared: 0 as it is, 1 all of it, 2 any of it.
    public var modifier: Int
    /// How texts are compared, as a bit set: 1 ignores case, 2 ignores diacritics.
    public var options: Int

    /// Creates an operator from Core Data's number; unknown numbers are kept.
    public init(rawValue: Int) { self.init(rawValue: rawValue, modifier: 0) }

    /// Creates an operator with a modifier and options.
    public init(rawValue: Int, modifier: Int, options: Int = 0) {
      self.rawValue = rawValue
      self.modifier = modifier
      self.options = options
    }

    static let symbols: [Int: String] = [
      0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE",
      8: "BEGINSWITH", 9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    /// The operator as a predicate format writes it; its number where it is unknown.
    public var symbol: String { Self.symbols[rawValue] ?? String(rawValue) }

    // Written out: what stands in the standard library for raw values would compare numbers alone.

    /// Whether two operators are the same in number, modifier and options.
    public static func == (left: Self, right: Self) -> Bool {
      left.rawValue == right.rawValue && left.modifier == right.modifier
        && left.options == right.options
    }

    /// Whether two operators differ in number, modifier or options.
    public static func != (left: Self, right: Self) -> Bool { !(left == right) }

    /// Feeds number, modifier and options to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(rawValue)
      hasher.combine(modifier)
      hasher.combine(options)
    }
  }
}
