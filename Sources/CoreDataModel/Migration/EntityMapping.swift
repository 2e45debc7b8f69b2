/// Where the objects of one entity of a new model come from.
public struct EntityMapping: Sendable, Hashable {
  /// What happens to an entity.
  public enum Kind: String, Sendable {
    /// The entity is new and has no objects.
    case added
    /// The entity was removed together with its objects.
    case removed
    /// The objects are copied without changes.
    case copied
    /// The objects are copied, and something about the entity changes.
    case transformed
  }

  /// What happens to the entity.
  public var kind: Kind
  /// The name in the old model; nil for an added entity.
  public var sourceName: String?
  /// The name in the new model; nil for a removed entity.
  public var destinationName: String?
  /// The stored properties, including inherited ones.
  ///
  /// Those of the new model come first in ascending order of names, followed by removed ones. Empty
  /// for an added or removed entity.
  public var properties: [PropertyMapping]

  /// Whether the entity was renamed.
  public var isRenamed: Bool {
    sourceName != nil && destinationName != nil && sourceName != destinationName
  }

  /// The name in the new model, or the old one if it was removed.
  public var name: String { destinationName ?? sourceName ?? "" }
}
