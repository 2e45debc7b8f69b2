extension ModelExpression {
  /// The expression in predicate format, such as `author.name` or `count:(items)`.
  ///
  /// For people: an unknown form appears as its class, `<NSClass>`.
  public var formatDescription: String {
    switch self {
    case .evaluatedObject: "SELF"
    case .constant(let value): value?.formatDescription ?? "NULL"
    case .variable(let name): "$" + name
    case .keyPath(nil, let path): path
    case .keyPath(let operand?, let path): operand.formatDescription + "." + path
    case .function(_, let name, let arguments):
      name + "(" + arguments.map(\.formatDescription).joined(separator: ", ") + ")"
    case .aggregate(let parts):
      "{" + parts.map(\.formatDescription).joined(separator: ", ") + "}"
    case .other(let value): value.formatDescription
    }
  }
}
