/// The expressions of a predicate: constants, key paths, functions and arithmetic.
extension PredicateParser {
  /// Reads an expression, to the first thing that cannot belong to it.
  mutating func sum(_ depth: Int) throws(CofferError) -> ModelExpression {
    try check(depth)
    var left = try product(depth)
    while true {
      if take("+") {
        left = .function(
          operand: nil, name: "add:to:", arguments: [left, try product(depth)])
      } else if take("-") {
        left = .function(
          operand: nil, name: "from:subtract:", arguments: [left, try product(depth)])
      } else {
        return left
      }
    }
  }

  private mutating func product(_ depth: Int) throws(CofferError) -> ModelExpression {
    var left = try primary(depth)
    while true {
      if take("*") {
        left = .function(
          operand: nil, name: "multiply:by:", arguments: [left, try primary(depth)])
      } else if take("/") {
        left = .function(
          operand: nil, name: "divide:by:", arguments: [left, try primary(depth)])
      } else {
        return left
      }
    }
  }

  private mutating func primary(_ depth: Int) throws(CofferError) -> ModelExpression {
    try check(depth)
    switch rest.popFirst() {
    case .number(let digits)?: return .constant(number(digits))
    case .text(let text)?: return .constant(.string(text))
    case .symbol("-")?:
      guard case .number(let digits)? = rest.first else { break }
      rest.removeFirst()
      return .constant(number("-" + digits))
    case .symbol("(")?:
      let inner = try sum(depth + 1)
      try require(")")
      return inner
    case .symbol("{")?: return .aggregate(try list("}", depth))
    case .word(let word)?: return try word.isEmpty ? .constant(nil) : value(word, depth)
    default: break
    }
    throw error("a value is missing")
  }

  private func number(_ digits: String) -> ModelValue {
    Int64(digits).map { .integer($0) } ?? .real(Double(digits) ?? 0)
  }

  /// What a word means: a constant, a variable, a function or the beginning of a key path.
  private mutating func value(_ word: String, _ depth: Int) throws(CofferError) -> ModelExpression {
    switch word.uppercased() {
    case "NULL", "NIL": return .constant(nil)
    case "TRUE", "YES": return .constant(.bool(true))
    case "FALSE", "NO": return .constant(.bool(false))
    case "SELF": return rest.first == .symbol(".") ? try keyPath([], depth) : .evaluatedObject
    default: break
    }
    if word.hasPrefix("$") {
      let variable = ModelExpression.variable(String(word.dropFirst()))
      guard rest.first == .symbol("."), case .keyPath(_, let path) = try keyPath([], depth) else {
        return variable
      }
      return .keyPath(operand: variable, path)
    }
    if take("(") {
      return .function(operand: nil, name: word, arguments: try list(")", depth))
    }
    return try keyPath([word.hasPrefix("#") ? String(word.dropFirst()) : word], depth)
  }

  private mutating func keyPath(
    _ first: [String], _ depth: Int
  ) throws(CofferError) -> ModelExpression {
    var keys = first
    while take(".") {
      guard case .word(let key)? = rest.popFirst() else { throw error("a key is missing") }
      keys.append(key)
    }
    return .keyPath(operand: nil, keys.joined(separator: "."))
  }

  private mutating func list(
    _ end: String, _ depth: Int
  ) throws(CofferError) -> [ModelExpression] {
    var parts: [ModelExpression] = []
    if take(end) { return parts }
    repeat { parts.append(try sum(depth + 1)) } while take(",")
    try require(end)
    return parts
  }
}
