/// Splits the text of a predicate into tokens.
struct PredicateTokens {
  enum Token: Equatable {
    /// A key, a word such as `AND`, or the name of a function with its colons.
    case word(String)
    case number(String)
    /// A string without its quotes.
    case text(String)
    case symbol(String)
  }

  private static let symbols = [
    "==", "=>", "=<", ">=", "<=", "!=", "<>", "<<", ">>", "&&", "||", "**", ":=",
  ]

  /// The tokens in order.
  let tokens: [Token]
  /// The position of each token in the text, counted in Unicode scalars, followed by the end of the
  /// text.
  let places: [Range<Int>]

  /// Splits a text into tokens.
  ///
  /// - Throws: ``PredicateError`` for an unterminated string and for a meaningless character.
  init(_ text: String) throws(PredicateError) {
    var tokens: [Token] = []
    var places: [Range<Int>] = []
    var rest = Array(text.unicodeScalars)[...]
    while let first = rest.first {
      let start = rest.startIndex
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      if first == "'" || first == "\"" {
        tokens.append(.text(try Self.text(&rest)))
      } else if ("0"..."9").contains(first) {
        tokens.append(.number(Self.number(&rest)))
      } else if Self.isWord(first) || first == "@" || first == "$" || first == "#" {
        tokens.append(.word(Self.word(&rest)))
      } else {
        tokens.append(.symbol(try Self.symbol(&rest)))
      }
      places.append(start..<rest.startIndex)
    }
    self.tokens = tokens
    self.places = places + [rest.endIndex..<rest.endIndex]
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  private static func text(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws(PredicateError) -> String {
    let start = rest.startIndex
    let quote = rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return String(text) }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n"?: text.append("\n")
      case "r"?: text.append("\r")
      case "t"?: text.append("\t")
      case let other?: text.append(other)
      case nil: break
      }
    }
    throw PredicateError("unterminated string", at: start..<rest.endIndex)
  }

  /// Digits with a fraction and a power of ten; a dot that is not followed by a digit belongs to
  /// the next token.
  private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map { ("0"..."9").contains($0) } ?? false
    }
    while let scalar = rest.first {
      let next = rest.dropFirst().first
      let isPower =
        (scalar == "e" || scalar == "E") && (isDigit(next) || next == "-" || next == "+")
      let isSign = (scalar == "-" || scalar == "+") && (text.last == "e" || text.last == "E")
      guard isDigit(scalar) || (scalar == "." && isDigit(next)) || isPower || isSign else { break }
      text.append(rest.removeFirst())
    }
    return String(text)
  }

  /// A word; a colon belongs to it if a bracket or another part of the name follows.
  private static func word(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(rest.removeFirst())
    while let scalar = rest.first, isWord(scalar) || scalar == ":" {
      if scalar == ":", rest.dropFirst().first == "=" { break }
      text.append(rest.removeFirst())
    }
    return String(text)
  }

  private static func symbol(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws(PredicateError) -> String {
    let start = rest.startIndex
    for symbol in symbols where rest.starts(with: symbol.unicodeScalars) {
      rest = rest.dropFirst(symbol.unicodeScalars.count)
      return symbol
    }
    let scalar = rest.removeFirst()
    guard "=<>!+-*/&|^~(){}[],.".unicodeScalars.contains(scalar) else {
      throw PredicateError(
        "the character \(Character(scalar)) is not valid", at: start..<rest.startIndex)
    }
    return String(Character(scalar))
  }
}
