package import CoreDataLayout
public import CoreDataModel

/// A difference between two stores.
public enum Difference: Sendable, Hashable {
  /// A difference of the stores themselves.
  case store(StoreDifference)
  case object(ObjectDifference)
  /// A pair of a many-to-many relationship.
  case pair(PairDifference)
  /// Rows of another table, such as persistent history. They are counted, not shown.
  case rows(RowDifferences)
  /// A file of external binary data.
  case externalData(FileDifference)
}

/// How something changed from the first source to the second.
public enum ChangeKind: String, Sendable, Hashable, CaseIterable {
  /// Only the second has it.
  case added
  /// Only the first has it.
  case removed
  /// Both have it, but it differs.
  case changed

  /// The kind of a difference, given the presence of the item in both sources; nil if neither has
  /// it.
  package init<Value>(from old: Value?, to new: Value?) {
    self = old == nil ? .added : new == nil ? .removed : .changed
  }
}

/// A difference in a file of external binary data.
public struct FileDifference: Sendable, Hashable {
  /// The kind of change of the file.
  public var kind: ChangeKind
  /// The name that objects use to refer to it; for other files, the path in the support folder.
  public var name: String
  /// The size in bytes in the first source; nil if the file does not exist there.
  public var oldByteCount: Int?
  /// The size in bytes in the second source; nil if the file does not exist there.
  public var newByteCount: Int?

  package init(kind: ChangeKind, name: String, oldByteCount: Int?, newByteCount: Int?) {
    self.kind = kind
    self.name = name
    self.oldByteCount = oldByteCount
    self.newByteCount = newByteCount
  }
}

/// A difference in an object.
public struct ObjectDifference: Sendable, Hashable {
  /// The kind of change of the object.
  public var kind: ChangeKind
  /// The object, with its entity in the second source, or in the first if it was removed.
  public var objectID: ManagedObjectID
  /// The object in the first source if it has another primary key there; otherwise nil.
  public var oldObjectID: ManagedObjectID? = nil
  /// The differing properties, sorted by name; empty unless the object was changed, or a watched store
  /// or a ``ComparisonPage`` reports the values of an added or removed one.
  public var properties: [PropertyDifference]
  /// Whether the object may have had any values before: the properties are its new values.
  package var lacksOldValues = false
}

/// A difference in a pair of a many-to-many relationship.
public struct PairDifference: Sendable, Hashable {
  /// The kind of change of the pair; `changed` means that its position in an ordered relationship differs.
  public var kind: ChangeKind
  /// The entity that declares the relationship.
  public var entityName: Name
  /// The name of the relationship.
  public var relationshipName: Name
  /// The primary key of the object that has the relationship; nil if it is not an integer.
  public var source: Int64?
  /// The primary key of its destination; nil if it is not an integer.
  public var destination: Int64?
}

/// A differing property of an object.
public struct PropertyDifference: Sendable, Hashable {
  /// The kind of a property.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// An attribute. Elements of composite attributes have names such as `address.city`.
    case attribute
    case relationship
    /// The position of the object in an ordered relationship. The name is the inverse to-one
    /// relationship's, or `Entity.relationship` if there is no inverse.
    case order
    /// The owner in a to-many relationship without an inverse, named `Entity.relationship`.
    case owner
    /// The version counter; the name is empty.
    case version
    /// The entity; the name is empty.
    case entity
    /// A column that the model does not explain.
    case column
  }

  /// The kind of a property.
  public var subject: Subject
  /// The name; empty for the entity and the version counter.
  public var name: Name
  /// The first source's value as JSON; nil if it has none or values were not requested.
  ///
  /// For a large value, the number of bytes instead.
  public var oldValue: String? = nil
  /// The second source's value as JSON; nil if it has none or values were not requested.
  public var newValue: String? = nil

  /// The property in words.
  package var words: String {
    switch subject {
    case .attribute, .relationship, .column: name.text
    case .order: "position in \(name)"
    case .owner: "owner in \(name)"
    case .version: "version"
    case .entity: "entity"
    }
  }
}

/// The differences in a table without objects: persistent history, CloudKit mirroring, or a table
/// that the model does not explain.
public struct RowDifferences: Sendable, Hashable {
  /// The content of the table.
  package enum Subject: String, Sendable, Hashable, CaseIterable {
    case history
    case cloudKit = "cloudkit"
    /// Another table of the framework.
    case system
    /// A table that the model does not explain.
    case unknown
  }

  /// The content of the table.
  package var subject: Subject
  /// The name of the table.
  public var tableName: String
  /// The number of rows that only the second source has.
  public var added: Int
  /// The number of rows that only the first source has.
  public var removed: Int
  /// The number of rows that differ.
  public var changed: Int

  package init(subject: Subject, tableName: String, added: Int, removed: Int, changed: Int) {
    self.subject = subject
    self.tableName = tableName
    self.added = added
    self.removed = removed
    self.changed = changed
  }
}

/// A difference of the stores themselves, not of their objects.
public struct StoreDifference: Sendable, Hashable {
  /// The differing part of the store.
  package enum Subject: String, Sendable, Hashable, CaseIterable {
    /// The UUID of the store; ``StoreDifference/name`` is empty.
    case storeUUID = "store-uuid"
    /// A key of the store metadata; with an empty name, the form of the metadata.
    case metadata
    /// An entity of the model; with an empty name, the model itself.
    case model
    case entityNumber = "entity-number"
    case primaryKeyCounter = "primary-key-counter"
    /// A setting of the database, such as `journal mode`.
    case setting
    /// A table, index, trigger or view of the database.
    case schema
  }

  /// The differing part of the store.
  package var subject: Subject
  /// The kind of its change.
  public var kind: ChangeKind
  /// The name of the key, entity, setting or definition; empty if there is none.
  public var name: String
  /// The first source's value as text; nil if it has none or values were not requested.
  public var oldValue: String? = nil
  /// The second source's value as text; nil if it has none or values were not requested.
  public var newValue: String? = nil
}

extension RowDifferences.Subject {
  /// The subject of a table that holds neither objects nor pairs.
  package init(_ kind: TableLayout.Kind) {
    self =
      switch kind {
      case .history: .history
      case .cloudKit: .cloudKit
      case .system: .system
      default: .unknown
      }
  }
}
