public import CoreDataModel

/// One thing in which two stores are not the same.
public enum Difference: Sendable, Hashable {
  /// Something of the store itself.
  case store(StoreDifference)
  /// An object.
  case object(ObjectDifference)
  /// A pair of a many-to-many relationship.
  case pair(PairDifference)
  /// A row of a table beside the objects, such as persistent history; counted, not shown.
  case rows(RowDifferences)
  /// A file of external binary data.
  case externalData(FileDifference)
}

/// What became of something between the first and the second of two sources.
public enum ChangeKind: String, Sendable, Hashable, CaseIterable {
  /// Only the second has it.
  case added
  /// Only the first has it.
  case removed
  /// Both have it, and it is not the same.
  case changed
}

/// A difference of one file of external binary data.
public struct FileDifference: Sendable, Hashable {
  /// What became of the file.
  public var kind: ChangeKind
  /// The name by which objects refer to it; the path within the support folder for other files.
  public var name: String
  /// How many bytes the first source's file has; nil where it has none.
  public var oldByteCount: Int?
  /// How many bytes the second source's file has; nil where it has none.
  public var newByteCount: Int?
}

/// A difference of one object.
public struct ObjectDifference: Sendable, Hashable {
  /// What became of the object.
  public var kind: ChangeKind
  /// The object, with the entity that it has in the second source, or in the first where it was
  /// removed.
  public var objectID: ManagedObjectID
  /// The properties that differ, in ascending order of names; empty unless the object was changed.
  public var properties: [PropertyDifference]
}

/// A difference of one pair of a many-to-many relationship.
public struct PairDifference: Sendable, Hashable {
  /// What became of the pair; changed where its place in an ordered relationship is another.
  public var kind: ChangeKind
  /// The entity that declares the relationship.
  public var entityName: String
  /// The name of the relationship.
  public var relationshipName: String
  /// The primary key of the object that has the relationship; nil where it is not an integer.
  public var source: Int64?
  /// The primary key of its destination; nil where it is not an integer.
  public var destination: Int64?
}

/// A property of an object that differs.
public struct PropertyDifference: Sendable, Hashable {
  /// What kind of property it is.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// An attribute; elements of composite ones are named after a point, as `address.city`.
    case attribute
    /// A to-one relationship.
    case relationship
    /// The place of the object in an ordered relationship; named after the to-one relationship that
    /// is its inverse, or as `Entity.relationship` where there is no inverse.
    case order
    /// The owner in a to-many relationship without inverse, named `Entity.relationship`.
    case owner
    /// The version counter; the name is empty.
    case version
    /// The entity; the name is empty.
    case entity
    /// A column that the model does not explain.
    case column
  }

  /// What kind of property it is.
  public var subject: Subject
  /// The name; empty for the entity and the version counter.
  public var name: String
  /// The first source's value as JSON; nil unless values were asked for, and where it has none.
  ///
  /// Of a large value the count of bytes is given in its place.
  public var oldValue: String? = nil
  /// The second source's value as JSON; nil unless values were asked for, and where it has none.
  public var newValue: String? = nil
}

/// The differences of one table beside the objects: persistent history, CloudKit mirroring, tables
/// that the model does not know.
public struct RowDifferences: Sendable, Hashable {
  /// What the table holds.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// Persistent history.
    case history
    /// CloudKit mirroring.
    case cloudKit = "cloudkit"
    /// Something else of the framework's.
    case system
    /// What the model does not explain.
    case unknown
  }

  /// What the table holds.
  public var subject: Subject
  /// The name of the table.
  public var tableName: String
  /// How many rows only the second source has.
  public var added: Int
  /// How many rows only the first source has.
  public var removed: Int
  /// How many rows both have, and not the same.
  public var changed: Int
}

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
