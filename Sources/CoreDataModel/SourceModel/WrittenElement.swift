/// An element of the XML of a model's source that is to be written: attributes keep their order.
struct WrittenElement {
  /// The name of the element.
  let name: String
  /// The attributes in order.
  private(set) var attributes: [(String, String)] = []
  /// The elements directly in it, in order.
  var children: [WrittenElement] = []

  init(_ name: String) { self.name = name }

  /// Adds an attribute; nil adds nothing.
  mutating func add(_ name: String, _ value: String?) {
    if let value { attributes.append((name, value)) }
  }

  /// Adds an attribute with the value `YES` where that is so; every boolean is that or missing.
  mutating func add(_ name: String, when isSet: Bool) {
    if isSet { attributes.append((name, "YES")) }
  }

  /// Adds the text of the element, indented as Xcode does.
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
