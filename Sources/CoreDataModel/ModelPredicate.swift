/// A condition of a model: a validation rule, the filter of a partial index or of a derivation.
package indirect enum ModelPredicate: Sendable, Equatable {
  case comparison(ModelExpression, Operator, ModelExpression)
  /// The negation of a condition.
  case not(ModelPredicate)
  /// A conjunction of conditions.
  case and([ModelPredicate])
  /// A disjunction of conditions.
  case or([ModelPredicate])
  /// A condition of an unknown form, copied from the source.
  case other(ModelValue)

  /// Parses a predicate in Foundation's predicate format, without `%` arguments, subqueries and
  /// assignments.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for text that is not a predicate, `model-limit` for
  ///   text that is nested too deeply.
  package init(parsing text: String) throws(CofferError) {
    self = try PredicateParser.predicate(text)
  }

  /// The operator of a comparison, by Core Data's number.
  package struct Operator: RawRepresentable, Sendable, Hashable {
    /// Core Data's number.
    package let rawValue: Int
    /// How a to-many left side is compared: 0 directly, 1 all, 2 any.
    package var modifier: Int
    /// How strings are compared, as a bit set: 1 ignores case, 2 ignores diacritics.
    package var options: Int

    /// Creates an operator from Core Data's number; unknown numbers are kept.
    package init(rawValue: Int) { self.init(rawValue: rawValue, modifier: 0) }

    /// Creates an operator with a modifier and options.
    package init(rawValue: Int, modifier: Int, options: Int = 0) {
      self.rawValue = rawValue
      self.modifier = modifier
      self.options = options
    }

    static let symbols: [Int: String] = [
      0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE",
      8: "BEGINSWITH", 9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    /// The operator in predicate format; its number if it is unknown.
    package var symbol: String { Self.symbols[rawValue] ?? String(rawValue) }

    // Written out, because the standard library's version for raw values would compare only
    // numbers.

    /// Whether two operators have the same number, modifier and options.
    package static func == (left: Self, right: Self) -> Bool {
      left.rawValue == right.rawValue && left.modifier == right.modifier
        && left.options == right.options
    }

    /// Whether two operators differ in number, modifier or options.
    package static func != (left: Self, right: Self) -> Bool { !(left == right) }

    /// Feeds number, modifier and options to a hasher.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(rawValue)
      hasher.combine(modifier)
      hasher.combine(options)
    }
  }

  /// The condition in predicate format, such as `(age >= 1 AND name != NULL)`.
  ///
  /// For people: an unknown form appears as its class, `<NSClass>`.
  package var formatDescription: String {
    switch self {
    case .comparison(let left, let comparison, let right):
      comparison.formatPrefix
        + [left.formatDescription, comparison.formatDescription, right.formatDescription]
        .joined(separator: " ")
    case .not(let part): "NOT (\(part.formatDescription))"
    case .and([]): "TRUEPREDICATE"
    case .or([]): "FALSEPREDICATE"
    case .and(let parts):
      "(" + parts.map(\.formatDescription).joined(separator: " AND ") + ")"
    case .or(let parts): "(" + parts.map(\.formatDescription).joined(separator: " OR ") + ")"
    case .other(let value): value.formatDescription
    }
  }
}

extension ModelPredicate.Operator {
  /// The modifier before a comparison with a to-many left side, with a space; empty for none.
  var formatPrefix: String {
    switch modifier {
    case 1: "ALL "
    case 2: "ANY "
    default: ""
    }
  }

  /// The symbol with its options, such as `CONTAINS[cd]`; unknown options are left out.
  var formatDescription: String {
    let letters = (options & 1 != 0 ? "c" : "") + (options & 2 != 0 ? "d" : "")
    return letters.isEmpty ? symbol : "\(symbol)[\(letters)]"
  }
}

/// A validation rule for the values of a property, with its warning.
package struct ValidationPredicate: Sendable, Equatable {
  /// The rule.
  package var predicate: ModelPredicate
  /// The warning of the rule: a text or an error number; nil if there is none.
  package var warning: ModelValue?

  /// Creates a rule from a predicate and its warning.
  package init(predicate: ModelPredicate, warning: ModelValue? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}
