/// The identity of a managed object in its store: its entity and its primary key.
public struct ManagedObjectID: Sendable, Hashable, CustomStringConvertible {
  /// The name of the concrete entity.
  public var entityName: Name
  /// The primary key; unique within the entity's inheritance tree.
  public var primaryKey: Int64

  /// Creates the ID of an object.
  public init(entityName: Name, primaryKey: Int64) {
    self.entityName = entityName
    self.primaryKey = primaryKey
  }

  /// The short form, such as `Person/p7`.
  public var description: String { "\(entityName)/p\(primaryKey)" }

  /// The form that Core Data uses across stores, `x-coredata://STORE-UUID/Person/p7`.
  public func uriRepresentation(storeUUID: String) -> String {
    "x-coredata://\(storeUUID)/\(description)"
  }
}
