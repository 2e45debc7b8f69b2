/// A difference of the stores themselves, not of their objects.
public struct StoreDifference: Sendable, Hashable {
  /// What it is about.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// The UUID of the store; ``StoreDifference/name`` is empty.
    case storeUUID = "store-uuid"
    /// A key of the store metadata, or, with an empty name, their form as a whole.
    case metadata
    /// An entity of the model, or, with an empty name, something of the model as a whole.
    case model
    /// The number of an entity in the store.
    case entityNumber = "entity-number"
    /// The counter of primary keys of an entity.
    case primaryKeyCounter = "primary-key-counter"
    /// A setting of the database, such as `journal mode`.
    case setting
    /// A table, index, trigger or view of the database.
    case schema
  }

  /// What it is about.
  public var subject: Subject
  /// What became of it.
  public var kind: ChangeKind
  /// The name: of the key, the entity, the setting or the definition; empty where there is none.
  public var name: String
  /// The first source's value as text; nil unless values were asked for, and where it has none.
  public var oldValue: String? = nil
  /// The second source's value as text; nil unless values were asked for, and where it has none.
  public var newValue: String? = nil
}
