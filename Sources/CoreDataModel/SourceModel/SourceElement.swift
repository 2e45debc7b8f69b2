/// An element of the XML of a model's source: its attributes and the elements in it.
///
/// Text between elements has no meaning in such a file and is not kept.
struct SourceElement: Sendable, Equatable {
  /// The name of the element.
  let name: String
  /// The attributes by name.
  var attributes: [String: String] = [:]
  /// The elements directly in it, in the order of the source.
  var children: [SourceElement] = []

  /// The value of an attribute; nil where it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Whether an attribute is `YES`; every boolean is that or missing.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// The elements of that name directly in it, in the order of the source.
  func all(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }
}
