extension ModelPredicate {
  /// The condition in predicate format, such as `(age >= 1 AND name != NULL)`.
  ///
  /// For people: an unknown form appears as its class, `<NSClass>`.
  public var formatDescription: String {
    switch self {
    case .comparison(let left, let comparison, let right):
      comparison.formatPrefix
        + [left.formatDescription, comparison.formatDescription, right.formatDescription]
        .joined(separator: " ")
    case .not(let part): "NOT (\(part.formatDescription))"
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
