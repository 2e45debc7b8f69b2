package import CoreDataModel

extension AttributeDescription {
  /// The user info that names the coordinates of a spatial index.
  package static let spatialKey: Name = "_NSLocationAttributeDerivedComponents"
  /// The maximum number of dimensions of an R-tree (<https://sqlite.org/rtree.html>).
  private static let maximumDimensions = 5

  /// The paths of the coordinates in an R-tree: a list, or text with commas; nil for an attribute
  /// without an R-tree (store-format, section 5.7).
  package var spatialComponents: [[Name]]? {
    let names: [String]
    switch userInfo[Self.spatialKey] {
    case .string(let text):
      names = text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    case .array(let list):
      names = list.compactMap { if case .string(let text) = $0 { text } else { nil } }
    default: return nil
    }
    guard (1...Self.maximumDimensions).contains(names.count) else { return nil }
    return names.map { Name.path($0) }
  }
}
