/// Parses a predicate or an expression in the source of a model.
///
/// The syntax is Foundation's predicate format (Predicate Programming Guide, "Predicate Format
/// String Syntax") without `%` arguments and assignments; subqueries only on request.
struct PredicateParser {
  /// The maximum depth of brackets and signs.
  static let maximumDepth = 64
  /// The maximum number of attempts to read a part: a bracket and everything in it may have to be
  /// read twice.
  static let maximumWork = 100_000
  /// The maximum number of signs between the values of one comparison: each is a level of the calculation,
  /// `1 + 1 + 1` has two.
  static let maximumSigns = 100
  /// The maximum number of keys in a key path.
  static let maximumKeys = 64

  private let tokenPlaces: [Range<Int>]
  var rest: ArraySlice<PredicateTokens.Token>
  /// The places of the operands and operators that were read.
  var places: [Range<Int>] = []
  /// Whether there may be subqueries.
  let hasSubqueries: Bool
  var subqueries: [ModelPredicate] = []

  private var work = 0
  /// How many signs were read of the comparison and of those around it.
  private var signs = 0

  private init(_ text: String, hasSubqueries: Bool = false) throws(PredicateError) {
    self.hasSubqueries = hasSubqueries
    let tokens = try PredicateTokens(text)
    tokenPlaces = tokens.places
    rest = tokens.tokens[...]
  }

  /// Reads a predicate.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for text that is not a predicate, `model-limit` for
  ///   text that is nested too deeply.
  static func predicate(_ text: String) throws(CofferError) -> ModelPredicate {
    do throws(PredicateError) { return try located(text).predicate } catch {
      throw error.inModel(text)
    }
  }

  /// Reads a predicate with the places of its parts.
  static func located(
    _ text: String, hasSubqueries: Bool = false
  ) throws(PredicateError) -> LocatedPredicate {
    var parser = try PredicateParser(text, hasSubqueries: hasSubqueries)
    let predicate = try parser.alternatives(0)
    try parser.requireEnd()
    return LocatedPredicate(predicate, parser.subqueries, parser.places)
  }

  static func expression(_ text: String) throws(CofferError) -> ModelExpression {
    do throws(PredicateError) {
      var parser = try PredicateParser(text)
      let expression = try parser.sum(0)
      try parser.requireEnd()
      return expression
    } catch {
      throw error.inModel(text)
    }
  }

  // MARK: Tokens

  /// The place of the next token, or the end of the text.
  var nextPlace: Range<Int> { tokenPlaces[rest.startIndex] }

  var lastEnd: Int { tokenPlaces[max(rest.startIndex - 1, 0)].upperBound }

  /// An error about the next token.
  func error(_ detail: String) -> PredicateError { PredicateError(detail, at: nextPlace) }

  func requireEnd() throws(PredicateError) {
    guard rest.isEmpty else { throw error("unexpected text at the end") }
  }

  mutating func check(_ depth: Int) throws(PredicateError) {
    work += 1
    guard depth <= Self.maximumDepth, work <= Self.maximumWork else {
      throw PredicateError("it is nested too deeply", at: nextPlace, isTooDeep: true)
    }
  }

  /// Counts a sign between values.
  mutating func checkSign() throws(PredicateError) {
    signs += 1
    guard signs <= Self.maximumSigns else {
      throw PredicateError(
        "a comparison has more than \(Self.maximumSigns) signs of calculation", at: nextPlace,
        isTooDeep: true)
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

  mutating func require(_ symbol: String) throws(PredicateError) {
    guard take(symbol) else { throw error("\(symbol) is missing") }
  }

  // MARK: Predicates

  mutating func alternatives(_ depth: Int) throws(PredicateError) -> ModelPredicate {
    try check(depth)
    var parts = [try conjunction(depth)]
    while take(word: "OR") || take("||") { parts.append(try conjunction(depth)) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction(_ depth: Int) throws(PredicateError) -> ModelPredicate {
    var parts = [try negation(depth)]
    while take(word: "AND") || take("&&") { parts.append(try negation(depth)) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation(_ depth: Int) throws(PredicateError) -> ModelPredicate {
    try check(depth)
    if take(word: "NOT") || take("!") { return .not(try negation(depth + 1)) }
    if take(word: "TRUEPREDICATE") { return .and([]) }
    if take(word: "FALSEPREDICATE") { return .or([]) }
    guard rest.first == .symbol("(") else { return try comparison(depth) }
    // A bracket holds a predicate or the left side of a comparison; where it is neither, the
    // attempt that got further gives the better error.
    let (start, read) = (rest, places.count)
    let failure: PredicateError
    do throws(PredicateError) {
      rest.removeFirst()
      let inner = try alternatives(depth + 1)
      try require(")")
      return inner
    } catch {
      failure = error
    }
    rest = start
    places.removeLast(places.count - read)
    try check(depth)
    do throws(PredicateError) { return try comparison(depth + 1) } catch {
      throw error.place.lowerBound < failure.place.lowerBound && !error.isTooDeep ? failure : error
    }
  }

  private static let modifiers = ["ALL": 1, "ANY": 2, "SOME": 2]

  private mutating func comparison(_ depth: Int) throws(PredicateError) -> ModelPredicate {
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
  ) throws(PredicateError) -> ModelPredicate {
    let signsAround = signs
    defer { signs = signsAround }
    let left = try sum(depth)
    let place = nextPlace
    var name = ""
    switch rest.first {
    case .word(let word)?: name = word.uppercased()
    case .symbol(let symbol)?: name = symbol
    default: break
    }
    guard let number = Self.comparisons[name] else { throw error("a comparison is missing") }
    rest.removeFirst()
    let options = take("[") ? try options() : 0
    places.append(place.lowerBound..<lastEnd)
    let right = try sum(depth)
    return .comparison(left, .init(rawValue: number, modifier: modifier, options: options), right)
  }

  private static let options: [Character: Int] = ["c": 1, "d": 2, "n": 4, "l": 8]

  /// The options of a comparison of texts, by Core Data's bits; a letter may be of either case.
  private mutating func options() throws(PredicateError) -> Int {
    guard case .word(let letters)? = rest.first else { throw error("an option is missing") }
    var options = 0
    for letter in letters.lowercased() {
      guard let option = Self.options[letter] else { throw error("\(letter) is not an option") }
      options |= option
    }
    rest.removeFirst()
    try require("]")
    return options
  }
}
