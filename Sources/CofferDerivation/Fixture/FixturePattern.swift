/// A regular expression from which matching texts are made: characters, classes, groups, alternatives
/// and repetitions.
struct FixturePattern: Equatable {
  private indirect enum Node: Equatable {
    case characters([Character])
    case sequence([Node])
    case alternatives([Node])
    case repeated(Node, ClosedRange<Int>)
  }

  private let root: Node
  /// The maximum number of repetitions beyond the minimum, for expressions without a limit.
  private static let maxRepetitions = 4
  /// The maximum length of a text made from a repetition.
  private static let largestCount = 1000

  /// Reads a regular expression; returns nil for an expression with anything else, such as a lookahead.
  init?(_ text: String) {
    var reader = Reader(rest: Array(text)[...])
    guard let node = reader.alternatives(depth: 0), reader.rest.isEmpty else { return nil }
    root = node
  }

  /// The number of different texts, at most the largest integer.
  var count: Int { Self.count(root) }

  private static func count(_ node: Node) -> Int {
    switch node {
    case .characters(let characters): characters.count
    case .alternatives(let nodes):
      nodes.reduce(0) { sum($0, count($1)) }
    case .sequence(let nodes):
      nodes.reduce(1) { product($0, count($1)) }
    case .repeated(let node, let range):
      range.reduce(0) { all, times in
        let one = count(node)
        return sum(all, (0..<times).reduce(1) { texts, _ in product(texts, one) })
      }
    }
  }

  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isBeyond) = one.addingReportingOverflow(other)
    return isBeyond ? .max : sum
  }

  private static func product(_ one: Int, _ other: Int) -> Int {
    let (product, isBeyond) = one.multipliedReportingOverflow(by: other)
    return isBeyond ? .max : product
  }

  /// A text that matches; the closure chooses one of a number of ways.
  func text(_ choose: (Int) -> Int) -> String {
    var text = ""
    Self.write(root, to: &text, choose)
    return text
  }

  private static func write(_ node: Node, to text: inout String, _ choose: (Int) -> Int) {
    switch node {
    case .characters(let characters): text.append(characters[choose(characters.count)])
    case .sequence(let nodes): for node in nodes { write(node, to: &text, choose) }
    case .alternatives(let nodes): write(nodes[choose(nodes.count)], to: &text, choose)
    case .repeated(let node, let range):
      for _ in 0..<(range.lowerBound + choose(range.count)) { write(node, to: &text, choose) }
    }
  }

  // MARK: Reading

  private struct Reader {
    var rest: ArraySlice<Character>

    private static let (digits, lower, upper) = (
      Array("0123456789"), Array("abcdefghijklmnopqrstuvwxyz"), Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    )
    private static let words = lower + upper + digits + ["_"]
    private static let printable = (0x21...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }
    /// Deeper groups are not read.
    private static let maxGroups = 50

    mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    mutating func alternatives(depth: Int) -> Node? {
      guard depth < Self.maxGroups, var nodes = sequence(depth: depth).map({ [$0] }) else {
        return nil
      }
      while take("|") {
        guard let node = sequence(depth: depth) else { return nil }
        nodes.append(node)
      }
      return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence(depth: Int) -> Node? {
      var nodes: [Node] = []
      while let next = rest.first, next != "|", next != ")" {
        if take("^") || take("$") { continue }
        guard let atom = atom(depth: depth), let node = repeated(atom) else { return nil }
        nodes.append(node)
      }
      return .sequence(nodes)
    }

    private mutating func atom(depth: Int) -> Node? {
      guard let next = rest.popFirst() else { return nil }
      switch next {
      case "(":
        if take("?"), !take(":") { return nil }
        guard let node = alternatives(depth: depth + 1), take(")") else { return nil }
        return node
      case "[": return characterClass()
      case ".": return .characters(Self.printable)
      case "\\": return escaped().map(Node.characters)
      case "*", "+", "?", "{": return nil
      default: return .characters([next])
      }
    }

    private mutating func escaped() -> [Character]? {
      guard let next = rest.popFirst() else { return nil }
      switch next {
      case "d": return Self.digits
      case "w": return Self.words
      case "s": return [" "]
      case "t": return ["\t"]
      case "n": return ["\n"]
      case "D": return Self.printable.filter { !Self.digits.contains($0) }
      case "S": return Self.printable
      case "W": return Self.printable.filter { !Self.words.contains($0) }
      default: return next.isLetter || next.isNumber ? nil : [next]
      }
    }

    private mutating func characterClass() -> Node? {
      let isNegative = take("^")
      var found: [Character] = []
      while let next = rest.popFirst() {
        if next == "]" && !found.isEmpty {
          let other = Self.printable.filter { !found.contains($0) }
          let characters = isNegative ? other : found
          return characters.isEmpty ? nil : .characters(characters)
        }
        if next == "[" || next == "&" && rest.first == "&" { return nil }
        if next == "\\" {
          guard let characters = escaped() else { return nil }
          found += characters
          continue
        }
        guard rest.first == "-", let end = rest.dropFirst().first, end != "]" else {
          found.append(next)
          continue
        }
        rest.removeFirst(2)
        guard let first = next.asciiValue, let last = end.asciiValue, first <= last, end != "\\"
        else { return nil }
        found += (first...last).map { Character(Unicode.Scalar($0)) }
      }
      return nil
    }

    private mutating func repeated(_ node: Node) -> Node? {
      guard let next = rest.first, "*+?{".contains(next) else { return node }
      rest.removeFirst()
      let range: ClosedRange<Int>?
      switch next {
      case "*": range = 0...FixturePattern.maxRepetitions
      case "+": range = 1...(1 + FixturePattern.maxRepetitions)
      case "?": range = 0...1
      default: range = counts()
      }
      // Lazy and possessive quantifiers match the same texts.
      _ = take("?") || take("+")
      return range.map { .repeated(node, $0) }
    }

    private mutating func counts() -> ClosedRange<Int>? {
      guard let end = rest.firstIndex(of: "}") else { return nil }
      let parts = String(rest[..<end]).split(separator: ",", omittingEmptySubsequences: false)
      rest = rest[rest.index(after: end)...]
      guard parts.count <= 2, let first = parts.first.flatMap({ Int($0) }), first >= 0,
        first <= FixturePattern.largestCount
      else { return nil }
      if parts.count == 1 { return first...first }
      if parts[1].isEmpty { return first...(first + FixturePattern.maxRepetitions) }
      guard let last = Int(parts[1]), first <= last, last <= FixturePattern.largestCount else {
        return nil
      }
      return first...last
    }
  }
}
