package import CoreDataModel

/// Repeated values of an attribute that is probably meant to identify objects.
package struct RepeatedKey: Sendable, Equatable {
  /// The declaring entity.
  package var entityName: Name
  /// The name of the attribute.
  package var name: Name
  /// The number of values that several objects have.
  package var valueCount: Int
  /// The number of objects with such a value.
  package var objectCount: Int
  /// Two objects with the same value, in ascending order of their keys.
  package var example: [ManagedObjectID]
}

/// The attributes that are probably meant to identify the objects of their entity.
enum LikelyKey {
  private static let names: Set<String> = [
    "id", "uid", "uuid", "guid", "identifier", "uniqueid", "uniqueidentifier", "objectid",
    "recordid",
    "remoteid", "serverid", "externalid", "cloudid", "syncid",
  ]

  /// Whether an attribute has a name like an identifier, such as `uuid`, or `personID` of the
  /// entity `Person` or `PersonEntity`, and values that identify.
  static func isLikely(_ attribute: Name, _ type: AttributeType, of entity: Name) -> Bool {
    switch type {
    case .string, .uuid, .uri, .integer16, .integer32, .integer64: break
    default: return false
    }
    let name = plain(attribute.text)
    if names.contains(name) { return true }
    let stem = plain(
      entity.text.hasSuffix("Entity") ? String(entity.text.dropLast(6)) : entity.text)
    guard !stem.isEmpty, name.hasPrefix(stem) else { return false }
    return ["id", "uid", "uuid", "guid", "identifier"].contains(String(name.dropFirst(stem.count)))
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0 != "_" && $0 != "-" })
  }
}
