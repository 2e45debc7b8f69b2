/// Text that XML 1.0 can contain.
package enum XMLText {
  /// The text with all characters escaped that have a meaning in content or attributes.
  ///
  /// Characters that XML 1.0 cannot contain, not even escaped, become U+FFFD. Line feeds, tabs and
  /// returns are kept: in attributes as references, which a reader does not normalize.
  package static func escaped(_ text: String, inAttribute: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where inAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n" where inAttribute, "\t" where inAttribute, "\r":
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      default: result.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return String(result)
  }

  /// The start tag of an element: its name and its attributes in their order.
  package static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
    let list = attributes.map { " \($0.0)=\"\(escaped($0.1, inAttribute: true))\"" }
    return "<\(name)\(list.joined())"
  }

  /// The characters of XML 1.0, section 2.2; surrogates are no scalars.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}

/// An XML element to write; its attributes keep their order.
struct WrittenElement {
  let name: String
  /// The attributes in order.
  private(set) var attributes: [(String, String)] = []
  /// The child elements in order.
  var children: [WrittenElement] = []

  init(_ name: String) { self.name = name }

  /// Adds an attribute; nil adds nothing.
  mutating func add(_ name: String, _ value: String?) {
    if let value { attributes.append((name, value)) }
  }

  /// Adds an attribute with the value `YES` if it is true; Booleans are `YES` or missing.
  mutating func add(_ name: String, when isSet: Bool) {
    if isSet { attributes.append((name, "YES")) }
  }

  /// Appends the text of the element, indented as in Xcode.
  func write(to text: inout String, depth: Int = 0) {
    let margin = String(repeating: "    ", count: depth)
    text += margin + XMLText.tag(name, attributes)
    guard !children.isEmpty else {
      text += "/>\n"
      return
    }
    text += ">\n"
    for child in children { child.write(to: &text, depth: depth + 1) }
    text += "\(margin)</\(name)>\n"
  }
}
