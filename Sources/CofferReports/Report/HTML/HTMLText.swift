/// The text of a page under construction: elements are closed where they were opened, and
/// everything from a store is escaped.
struct HTMLText {
  /// The text so far.
  private(set) var text = ""

  /// Writes an element; the values of its attributes are escaped.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ body: (inout HTMLText) -> Void
  ) {
    open(name, attributes)
    body(&self)
    text += "</\(name)>"
  }

  /// Writes an element that contains only text.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    text content: String
  ) {
    element(name, attributes) { $0.write(content) }
  }

  /// Writes the start tag of an element without an end tag.
  mutating func open(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">"
  }

  mutating func write(_ content: String) { text += Self.escaped(content) }

  /// Writes a name or value from a store in any writing direction, without affecting the
  /// surrounding text.
  mutating func name(_ content: String) {
    // A long one can be broken where a property begins.
    let parts = Self.escaped(content).split(separator: ".", omittingEmptySubsequences: false)
    text += "<bdi>\(parts.joined(separator: ".<wbr>"))</bdi>"
  }

  /// Writes a list of names from a store side by side.
  mutating func names(_ names: some Sequence<String>) {
    element("ul", ["class": "names"]) { page in
      for name in names { page.element("li") { $0.name(name) } }
    }
  }

  /// Writes content that is folded until a reader opens it; it is open in print and for the search.
  mutating func fold(_ summary: String, _ body: (inout HTMLText) -> Void) {
    element("details") { page in
      page.element("summary", text: summary)
      body(&page)
    }
    line()
  }

  /// Writes finished markup, such as a drawing; direction marks in it become U+FFFD.
  mutating func markup(_ content: String) {
    guard content.unicodeScalars.contains(where: Self.turns) else { return text += content }
    text.unicodeScalars.append(
      contentsOf: content.unicodeScalars.map { Self.turns($0) ? "\u{FFFD}" : $0 })
  }

  /// A line feed, for people who read the source.
  mutating func line() { text += "\n" }

  /// Text without characters that have a meaning in content or attributes.
  ///
  /// Control characters become their pictures (`␀`), direction marks become their code in brackets,
  /// and noncharacters become U+FFFD.
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

  /// Whether a mark would change the direction of the following text.
  private static func turns(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
