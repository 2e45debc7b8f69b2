/// Where the objects of one entity of a new model come from.
public struct EntityMapping: Sendable, Hashable {
  /// What becomes of an entity.
  public enum Kind: String, Sendable {
    /// The entity is new and has no objects.
    case added
    /// The entity is gone, and its objects with it.
    case removed
    /// The objects are carried over as they are.
    case copied
    /// The objects are carried over, and something of the entity changes.
    case transformed
  }

  /// What becomes of the entity.
  public var kind: Kind
  /// The name in the old model; nil for one that is added.
  public var sourceName: String?
  /// The name in the new model; nil for one that is removed.
  public var destinationName: String?
  /// Its properties that are kept in a store, inherited ones included.
  ///
  /// Those of the new model in ascending order of names, behind them those that are removed. Empty for
  /// an entity that is added or removed.
  public var properties: [PropertyMapping]

  /// Whether the entity has another name.
  public var isRenamed: Bool {
    sourceName != nil && destinationName != nil && sourceName != destinationName
  }

  /// The name in the new model, or the old one where it is gone.
  public var name: String { destinationName ?? sourceName ?? "" }
}
