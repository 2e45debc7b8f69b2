/// Parses a predicate or an expression in the source of a model.
///
/// The syntax is Foundation's predicate format (Predicate Programming Guide, "Predicate Format
/// String Syntax") without `%` arguments, subqueries and assignments.
struct PredicateParser {
  /// The maximum depth of brackets and signs.
  static let maximumDepth = 64
  /// The maximum number of attempts to read a part: a bracket and everything in it may have to be
  /// read twice.
  static let maximumWork = 100_000

  private let text: String
  var rest: ArraySlice<PredicateTokens.Token>

  private var work = 0

  private init(_ text: String) throws(CofferError) {
    self.text = text
    rest = try PredicateTokens(text).tokens[...]
  }

  /// Reads a predicate.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for text that is not a predicate, `model-limit` for
  ///   text that is nested too deeply.
  static func predicate(_ text: String) throws(CofferError) -> ModelPredicate {
    var parser = try PredicateParser(text)
    let predicate = try parser.alternatives(0)
    try parser.requireEnd()
    return predicate
  }

  /// Reads an expression.
  ///
  /// - Throws: as ``predicate(_:)``.
  static func expression(_ text: String) throws(CofferError) -> ModelExpression {
    var parser = try PredicateParser(text)
    let expression = try parser.sum(0)
    try parser.requireEnd()
    return expression
  }

  // MARK: Tokens

  func error(_ detail: String) -> CofferError {
    CofferError(.damagedModel, detail: "\(detail) in the predicate or expression: \(text)")
  }

  func requireEnd() throws(CofferError) {
    guard rest.isEmpty else { throw error("unexpected text at the end") }
  }

  mutating func check(_ depth: Int) throws(CofferError) {
    work += 1
    guard depth <= Self.maximumDepth, work <= Self.maximumWork else {
      throw CofferError(.modelLimit, detail: "a predicate is nested too deeply")
    }
  }

  mutating func take(_ symbol: String) -> Bool {
    guard rest.first == .symbol(symbol) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func take(word: String) -> Bool {
    guard case .word(let next)? = rest.first, next.uppercased() == word else { return false }
    rest.removeFirst()
    return true
  }

  mutating func require(_ symbol: String) throws(CofferError) {
    guard take(symbol) else { throw error("\(symbol) is missing") }
  }

  // MARK: Predicates

  private mutating func alternatives(_ depth: Int) throws(CofferError) -> ModelPredicate {
    try check(depth)
    var parts = [try conjunction(depth)]
    while take(word: "OR") || take("||") { parts.append(try conjunction(depth)) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction(_ depth: Int) throws(CofferError) -> ModelPredicate {
    var parts = [try negation(depth)]
    while take(word: "AND") || take("&&") { parts.append(try negation(depth)) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation(_ depth: Int) throws(CofferError) -> ModelPredicate {
    try check(depth)
    if take(word: "NOT") || take("!") { return .not(try negation(depth + 1)) }
    guard rest.first == .symbol("(") else { return try comparison(depth) }
    // A bracket holds a predicate or the left side of a comparison.
    let start = rest
    rest.removeFirst()
    if let inner = try? alternatives(depth + 1), take(")") { return inner }
    rest = start
    try check(depth)
    return try comparison(depth + 1)
  }

  private static let modifiers = ["ALL": 1, "ANY": 2, "SOME": 2]

  private mutating func comparison(_ depth: Int) throws(CofferError) -> ModelPredicate {
    if take(word: "NONE") { return .not(try comparison(depth, modifier: 2)) }
    for (word, modifier) in Self.modifiers where take(word: word) {
      return try comparison(depth, modifier: modifier)
    }
    return try comparison(depth, modifier: 0)
  }

  private static let comparisons = [
    "<": 0, "<=": 1, "=<": 1, ">": 2, ">=": 3, "=>": 3, "=": 4, "==": 4, "!=": 5, "<>": 5,
    "MATCHES": 6, "LIKE": 7, "BEGINSWITH": 8, "ENDSWITH": 9, "IN": 10, "CONTAINS": 99,
    "BETWEEN": 100,
  ]

  private mutating func comparison(
    _ depth: Int, modifier: Int
  ) throws(CofferError) -> ModelPredicate {
    let left = try sum(depth)
    var name = ""
    switch rest.popFirst() {
    case .word(let word)?: name = word.uppercased()
    case .symbol(let symbol)?: name = symbol
    default: break
    }
    guard let number = Self.comparisons[name] else { throw error("a comparison is missing") }
    var options = 0
    if take("[") {
      guard case .word(let letters)? = rest.popFirst() else { throw error("an option is missing") }
      if letters.contains("c") { options |= 1 }
      if letters.contains("d") { options |= 2 }
      try require("]")
    }
    let right = try sum(depth)
    return .comparison(
      left, .init(rawValue: number, modifier: modifier, options: options), right)
  }
}

/// The expressions of a predicate: constants, key paths, functions and arithmetic.
extension PredicateParser {
  /// Reads an expression up to the first token that cannot belong to it.
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

  /// The meaning of a word: a constant, a variable, a function or the beginning of a key path.
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
