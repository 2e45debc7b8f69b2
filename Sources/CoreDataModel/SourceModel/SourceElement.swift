/// An element of the XML of a model source: its attributes and child elements.
///
/// Text between elements has no meaning in such a file and is not kept.
struct SourceElement: Sendable, Equatable {
  /// The name of the element.
  let name: String
  /// The attributes by name.
  var attributes: [String: String] = [:]
  /// The child elements, in the order of the source.
  var children: [SourceElement] = []

  /// The value of an attribute; nil if it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Whether an attribute is `YES`; Booleans are `YES` or missing.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// The child elements with that name, in the order of the source.
  func all(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }
}
