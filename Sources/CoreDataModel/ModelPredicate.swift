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

  /// The operator of a comparison, by Core Data's number.
  public struct Operator: RawRepresentable, Sendable, Hashable {
    /// Core Data's number.
    public let rawValue: Int
    /// Creates an operator from Core Data's number; unknown numbers are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }

    static let symbols: [Int: String] = [
      0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE",
      8: "BEGINSWITH", 9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    /// The operator as a predicate format writes it; its number where it is unknown.
    public var symbol: String { Self.symbols[rawValue] ?? String(rawValue) }
  }
}
