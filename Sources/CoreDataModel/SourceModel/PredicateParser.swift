/// Reads the text of a predicate or of an expression, as the source of a model holds it.
///
/// What it reads is the syntax of Foundation's predicate format (Predicate Programming Guide,
/// "Predicate Format String Syntax") without `%` arguments, subqueries and assignments.
struct PredicateParser {
  /// The most brackets and signs in each other.
  static let maximumDepth = 64
  /// The most attempts to read a part: a bracket may have to be read twice, and so all in it.
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
  /// - Throws: ``CofferError``: `damaged-model` for a text that is none, `model-limit` for one that is
  ///   nested too deeply.
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
    guard rest.isEmpty else { throw error("more than was expected") }
  }

  mutating func check(_ depth: Int) throws(CofferError) {
    work += 1
    guard depth <= Self.maximumDepth, work <= Self.maximumWork else {
      throw CofferError(.modelLimit, detail: "a predicate nested too deeply")
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
