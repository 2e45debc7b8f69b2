/// The expressions of a predicate: constants, key paths, functions and arithmetic.
extension PredicateParser {
  /// The operators between two values and their functions, the loosest first.
  private static let operators: [[(symbol: String, function: String)]] = [
    [("|", "bitwiseOr:with:")], [("^", "bitwiseXor:with:")], [("&", "bitwiseAnd:with:")],
    [("<<", "leftshift:by:"), (">>", "rightshift:by:")],
    [("+", "add:to:"), ("-", "from:subtract:")],
    [("*", "multiply:by:"), ("/", "divide:by:")],
  ]

  /// Reads an expression up to the first token that cannot belong to it.
  mutating func sum(_ depth: Int) throws(PredicateError) -> ModelExpression {
    try check(depth)
    return try operation(0, depth)
  }

  private mutating func operation(
    _ level: Int, _ depth: Int
  ) throws(PredicateError) -> ModelExpression {
    guard level < Self.operators.count else { return try power(depth) }
    let (start, index) = (nextPlace.lowerBound, places.count)
    var left = try operation(level + 1, depth)
    while let found = Self.operators[level].first(where: { rest.first == .symbol($0.symbol) }) {
      rest.removeFirst()
      try checkSign()
      let right = try operation(level + 1, depth)
      left = .function(operand: nil, name: found.function, arguments: [left, right])
      places.insert(start..<lastEnd, at: index)
    }
    return left
  }

  private mutating func power(_ depth: Int) throws(PredicateError) -> ModelExpression {
    let (start, index) = (nextPlace.lowerBound, places.count)
    let left = try primary(depth)
    guard take("**") else { return left }
    try checkSign()
    let right = try power(depth + 1)
    places.insert(start..<lastEnd, at: index)
    return .function(operand: nil, name: "raise:toPower:", arguments: [left, right])
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
    var operand = try operand(depth)
    if hasSubqueries, rest.first == .symbol("[") {
      operand = try element(of: operand, index, depth)
    }
    places[index] = places[index].lowerBound..<lastEnd
    return operand
  }

  /// An element of a list whose place has an index, such as `items[0]`, `items[FIRST].price` or
  /// `items[SIZE]`; the place of the element comes before it.
  private mutating func element(
    of list: ModelExpression, _ index: Int, _ depth: Int
  ) throws(PredicateError) -> ModelExpression {
    places.insert(places[index].lowerBound..<lastEnd, at: index + 1)
    try require("[")
    let position = try sum(depth + 1)
    try require("]")
    let element = ModelExpression.function(
      operand: nil, name: LocatedPredicate.element, arguments: [list, position])
    guard rest.first == .symbol("."), case .keyPath(_, let path) = try keyPath([], depth) else {
      return element
    }
    return .keyPath(operand: element, path)
  }

  private mutating func operand(_ depth: Int) throws(PredicateError) -> ModelExpression {
    switch rest.first {
    case .number(let digits)?: return .constant(try number(digits))
    case .text(let text)?:
      rest.removeFirst()
      return .constant(.string(text))
    case .symbol("-")?:
      let sign = nextPlace
      rest.removeFirst()
      if case .number(let digits)? = rest.first { return .constant(try number("-" + digits)) }
      places.append(sign)
      return .function(
        operand: nil, name: "from:subtract:",
        arguments: [.constant(.integer(0)), try primary(depth + 1)])
    case .symbol("~")?:
      rest.removeFirst()
      return .function(operand: nil, name: "onesComplement:", arguments: [try primary(depth + 1)])
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

  /// Takes a number; its digits are the next token.
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
    if hasSubqueries, word.uppercased() == LocatedPredicate.subquery, take("(") {
      let subquery = try subquery(depth)
      guard rest.first == .symbol("."), case .keyPath(_, let path) = try keyPath([], depth) else {
        return subquery
      }
      return .keyPath(operand: subquery, path)
    }
    if hasSubqueries, word.uppercased() == LocatedPredicate.choice, take("(") {
      return try choice(depth)
    }
    if take("(") {
      return .function(operand: nil, name: word, arguments: try list(")", depth))
    }
    return try keyPath([word.hasPrefix("#") ? String(word.dropFirst()) : word], depth)
  }

  private mutating func subquery(_ depth: Int) throws(PredicateError) -> ModelExpression {
    let collection = try sum(depth + 1)
    try require(",")
    guard case .word(let word)? = rest.first, word.hasPrefix("$") else {
      throw error("a variable such as $x is missing")
    }
    places.append(nextPlace)
    rest.removeFirst()
    try require(",")
    let predicate = try alternatives(depth + 1)
    try require(")")
    subqueries.append(predicate)
    return .function(
      operand: nil, name: LocatedPredicate.subquery,
      arguments: [
        collection, .variable(String(word.dropFirst())),
        .constant(.integer(Int64(subqueries.count - 1))),
      ])
  }

  private mutating func choice(_ depth: Int) throws(PredicateError) -> ModelExpression {
    let predicate = try alternatives(depth + 1)
    subqueries.append(predicate)
    let number = ModelExpression.constant(.integer(Int64(subqueries.count - 1)))
    try require(",")
    let first = try sum(depth + 1)
    try require(",")
    let second = try sum(depth + 1)
    try require(")")
    return .function(
      operand: nil, name: LocatedPredicate.choice, arguments: [number, first, second])
  }

  private mutating func keyPath(
    _ first: [String], _ depth: Int
  ) throws(PredicateError) -> ModelExpression {
    var keys = first
    while take(".") {
      guard case .word(let key)? = rest.first else { throw error("a key is missing") }
      guard keys.count < Self.maximumKeys else {
        throw PredicateError(
          "a key path has more than \(Self.maximumKeys) keys", at: nextPlace, isTooDeep: true)
      }
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
