/// The identity of a managed object in its store: its entity and its primary key.
public struct ManagedObjectID: Sendable, Hashable, CustomStringConvertible {
  /// The name of the concrete entity.
  public var entityName: String
  /// The primary key; unique within the entity's inheritance tree.
  public var primaryKey: Int64

  /// Creates the ID of an object.
  public init(entityName: String, primaryKey: Int64) {
    self.entityName = entityName
    self.primaryKey = primaryKey
  }

  /// Whether two IDs have the same key, and entities with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.primaryKey == right.primaryKey && left.entityName.hasSameBytes(as: right.entityName)
  }

  /// Takes the key and the entity into a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(primaryKey)
    hasher.combine(ExactString(entityName))
  }

  /// The short form, such as `Person/p7`.
  public var description: String { "\(entityName)/p\(primaryKey)" }

  /// The form that Core Data uses across stores, `x-coredata://STORE-UUID/Person/p7`.
  public func uriRepresentation(storeUUID: String) -> String {
    "x-coredata://\(storeUUID)/\(description)"
  }
}
