/// A section of a report.
protocol HTMLSection {
  /// The name of the section in links.
  var identifier: String { get }
  /// The heading.
  var title: String { get }
  /// Writes what comes below the heading.
  func write(to page: inout HTMLText)
}
