/// The expressions of a predicate: constants, key paths, functions and arithmetic.
extension PredicateParser {
  /// Reads an expression up to the first token that cannot belong to it.
  mutating func sum(_ depth: Int) throws(PredicateError) -> ModelExpression {
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

  private mutating func product(_ depth: Int) throws(PredicateError) -> ModelExpression {
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

  private mutating func primary(_ depth: Int) throws(PredicateError) -> ModelExpression {
    try check(depth)
    if take("(") {
      let inner = try sum(depth + 1)
      try require(")")
      return inner
    }
    let index = places.count
    places.append(nextPlace)
    let operand = try operand(depth)
    places[index] = places[index].lowerBound..<lastEnd
    return operand
  }

  private mutating func operand(_ depth: Int) throws(PredicateError) -> ModelExpression {
    switch rest.first {
    case .number(let digits)?: return .constant(try number(digits))
    case .text(let text)?:
      rest.removeFirst()
      return .constant(.string(text))
    case .symbol("-")?:
      guard case .number(let digits)? = rest.dropFirst().first else { break }
      rest.removeFirst()
      return .constant(try number("-" + digits))
    case .symbol("{")?:
      rest.removeFirst()
      return .aggregate(try list("}", depth))
    case .word(let word)?:
      rest.removeFirst()
      return try word.isEmpty ? .constant(nil) : value(word, depth)
    default: break
    }
    throw error("a value is missing")
  }

  /// Takes a number, the digits of which are the next token.
  private mutating func number(_ digits: String) throws(PredicateError) -> ModelValue {
    guard let value = Int64(digits).map(ModelValue.integer) ?? Double(digits).map(ModelValue.real)
    else { throw error("\(digits) is not a number") }
    rest.removeFirst()
    return value
  }

  /// The meaning of a word: a constant, a variable, a function or the beginning of a key path.
  private mutating func value(_ word: String, _ depth: Int) throws(PredicateError)
    -> ModelExpression
  {
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
  ) throws(PredicateError) -> ModelExpression {
    var keys = first
    while take(".") {
      guard case .word(let key)? = rest.first else { throw error("a key is missing") }
      rest.removeFirst()
      keys.append(key)
    }
    return .keyPath(operand: nil, keys.joined(separator: "."))
  }

  private mutating func list(
    _ end: String, _ depth: Int
  ) throws(PredicateError) -> [ModelExpression] {
    var parts: [ModelExpression] = []
    if take(end) { return parts }
    repeat { parts.append(try sum(depth + 1)) } while take(",")
    try require(end)
    return parts
  }
}
