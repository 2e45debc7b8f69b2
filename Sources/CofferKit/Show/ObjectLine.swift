internal import CoreDataArchive
internal import CoreDataModel

/// One line of a table of objects: which object it is, and what its members say.
///
/// Source: archive-format, section 6.1.
struct ObjectLine {
  let value: JSONValue
  let primaryKey: Int64
  /// The name of the entity; empty for a number of no known entity.
  let entityName: String

  /// The object of a line; nil for one without a key.
  init?(_ value: JSONValue, rootEntity: String) {
    guard case .integer(let key) = value["$pk"] else { return nil }
    self.value = value
    primaryKey = key
    switch (value["$entity"], value["$number"]) {
    case (.string(let name), _): entityName = name
    case (nil, nil): entityName = rootEntity
    default: entityName = ""
    }
  }

  var id: ManagedObjectID { ManagedObjectID(entityName: entityName, primaryKey: primaryKey) }

  /// The version counter; nil where it is none.
  var version: Int64? {
    if case .integer(let number) = value["$opt"] { number } else { nil }
  }

  /// The value of a property.
  subscript(name: String) -> JSONValue? { value[LineKey.escaped(name)] }

  /// Where a to-one relationship leads; nil where it leads nowhere.
  func destination(of relationship: RelationshipDescription) -> ManagedObjectID? {
    switch self[relationship.name] {
    case .integer(let key):
      return ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
    case .object(let object):
      guard case .integer(let key) = object["$pk"] else { return nil }
      guard case .string(let entity) = object["$entity"] else {
        return ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
      }
      return ManagedObjectID(entityName: entity, primaryKey: key)
    default: return nil
    }
  }

  /// The object's place in an ordered relationship that it is a destination of.
  func order(_ key: String) -> Int64 {
    if case .integer(let order) = value["$order"]?[key] { order } else { 0 }
  }

  /// The key of the owner in a to-many relationship without inverse.
  func owner(_ key: String) -> Int64? {
    if case .integer(let owner) = value["$owner"]?[key] { owner } else { nil }
  }
}
