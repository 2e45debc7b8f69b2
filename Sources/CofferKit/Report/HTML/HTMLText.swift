/// The text of a page while it is written: elements that are closed where they were opened, and
/// whatever comes from a store escaped.
struct HTMLText {
  /// What was written so far.
  private(set) var text = ""
  private var lastNumber = 0

  /// Writes an element.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - attributes: its attributes; the values are escaped.
  ///   - body: writes what is in it.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ body: (inout HTMLText) -> Void
  ) {
    open(name, attributes)
    body(&self)
    text += "</\(name)>"
  }

  /// Writes an element with nothing but text in it.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    text content: String
  ) {
    element(name, attributes) { $0.write(content) }
  }

  /// Writes the start of an element, for those that have no end.
  mutating func open(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">"
  }

  /// Writes text.
  mutating func write(_ content: String) { text += Self.escaped(content) }

  /// Writes a name or a value of a store, whatever direction it is written in: what stands around it
  /// keeps its order.
  mutating func name(_ content: String) {
    // A long one can be broken where a property begins.
    let parts = Self.escaped(content).split(separator: ".", omittingEmptySubsequences: false)
    text += "<bdi>\(parts.joined(separator: ".<wbr>"))</bdi>"
  }

  /// Writes what is markup already, such as a drawing; marks of direction in it become U+FFFD.
  mutating func markup(_ content: String) {
    guard content.unicodeScalars.contains(where: Self.turns) else { return text += content }
    text.unicodeScalars.append(
      contentsOf: content.unicodeScalars.map { Self.turns($0) ? "\u{FFFD}" : $0 })
  }

  /// A line feed, for who reads the page as text.
  mutating func line() { text += "\n" }

  /// An identifier that no other element of the page has.
  mutating func identifier() -> String {
    lastNumber += 1
    return "n\(lastNumber)"
  }

  /// A text in which no character means anything, in content and in attributes.
  ///
  /// Control characters become their pictures (`␀`), and marks that would change the direction of what
  /// follows their code in brackets; noncharacters become U+FFFD.
  static func escaped(_ content: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in content.unicodeScalars {
      switch scalar.value {
      case 0x26: result.append(contentsOf: "&amp;".unicodeScalars)
      case 0x3C: result.append(contentsOf: "&lt;".unicodeScalars)
      case 0x3E: result.append(contentsOf: "&gt;".unicodeScalars)
      case 0x22: result.append(contentsOf: "&quot;".unicodeScalars)
      case 0x27: result.append(contentsOf: "&#39;".unicodeScalars)
      case 0x0A: result.append(scalar)
      case 0x00...0x1F: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: result.append("\u{2421}")
      case _ where turns(scalar), 0x2028, 0x2029:
        let code = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "[U+\(code)]".unicodeScalars)
      case 0x80...0x9F: result.append("\u{FFFD}")
      default: result.append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// Whether a mark would change the direction of what follows.
  private static func turns(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
