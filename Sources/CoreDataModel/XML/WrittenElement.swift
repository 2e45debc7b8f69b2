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
