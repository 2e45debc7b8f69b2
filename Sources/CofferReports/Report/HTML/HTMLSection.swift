protocol HTMLSection {
  /// The name of the section in links.
  var identifier: String { get }
  var title: String { get }
  /// Whether the section is left out because it has no content.
  var isEmpty: Bool { get }
  /// Writes the content below the heading.
  func write(to page: inout HTMLText)
}

extension HTMLSection {
  var isEmpty: Bool { false }
}
