package import CoreDataModel

/// The content of a table of a store, the meaning of each of its columns, and the folder of its
/// lines in an archive.
///
/// The layout is part of the archive (`store/layout.json`), so that every reader interprets a line
/// in the same way, whatever it would derive from the model.
package struct TableLayout: Sendable, Equatable {
  /// The content of a table.
  package enum Kind: String, Sendable, CaseIterable {
    /// The objects of a root entity and of all entities below it.
    case entity
    /// The pairs of a many-to-many relationship.
    case relationship
    case metadata
    /// The entity numbers and the counters of primary keys.
    case primaryKeys = "primary-keys"
    /// The copy of the model that the store keeps.
    case modelCache = "model-cache"
    case history
    case cloudKit = "cloudkit"
    /// Another table of the framework's own.
    case system
    /// A table that the model does not explain.
    case unknown
  }

  /// The folder of its entries, such as `entities/Person`.
  package var folder: String
  /// The name of the table in the store.
  package var storedName: String
  /// The kind of content.
  package var kind: Kind
  /// The root entity, or the entity that a relationship belongs to; nil for other kinds.
  package var entityName: Name?
  /// The relationship, for pairs; nil for other kinds.
  package var relationshipName: Name?
  /// Whether lines carry a row number under `$row`, because no column does.
  package var hasRowNumbers: Bool
  /// Its columns in the order of the store.
  package var fields: [FieldLayout]

  /// Whether it is a table of SQLite's own, such as `sqlite_sequence`, which SQLite itself may fill
  /// while rows are inserted into other tables.
  package var isInternal: Bool { storedName.lowercased().hasPrefix("sqlite_") }

  /// Creates a layout.
  package init(
    folder: String, storedName: String, kind: Kind, entityName: Name? = nil,
    relationshipName: Name? = nil, hasRowNumbers: Bool = false, fields: [FieldLayout]
  ) {
    self.folder = folder
    self.storedName = storedName
    self.kind = kind
    self.entityName = entityName
    self.relationshipName = relationshipName
    self.hasRowNumbers = hasRowNumbers
    self.fields = fields
  }

  /// The name of a property for its column; the name of the column if it belongs to none.
  package func propertyName(_ column: Int) -> Name {
    switch fields[column].role {
    case .attribute(let path, _, _, _): Name(path: path)
    case .toOne(let name, _), .toOneEntity(let name, _): name
    default: Name(fields[column].storedName)
    }
  }
}

/// One column of a table and its meaning.
package struct FieldLayout: Sendable, Equatable {
  /// The name of the column in the store.
  package var storedName: String
  /// The meaning.
  package var role: FieldRole

  /// Creates a field.
  package init(storedName: String, role: FieldRole) {
    self.storedName = storedName
    self.role = role
  }
}

/// The meaning of a column of a store.
package enum FieldRole: Sendable, Hashable {
  case primaryKey
  case entityNumber
  case version
  /// An attribute, or an element of a composite one, by its path from the entity that declares it.
  case attribute(path: [Name], type: AttributeType, isExternal: Bool, entity: Name)
  /// A to-one relationship of the entity that declares it: the primary key of the destination.
  case toOne(name: Name, entity: Name)
  /// The number of the destination's entity, for a to-one relationship.
  case toOneEntity(name: Name, entity: Name)
  /// The order key within the ordered inverse of a to-one relationship.
  case order(name: Name, entity: Name)
  /// The primary key of the owner in a to-many relationship without inverse.
  case owner(entity: Name, relationship: Name)
  /// The order key within an ordered to-many relationship without inverse.
  case ownerOrder(entity: Name, relationship: Name)
  /// In a join table: the object that the relationship belongs to.
  case source
  /// In a join table: the destination.
  case destination
  /// In a join table: the order key of the destination in the source's relationship.
  case destinationOrder
  /// In a join table: the order key of the source in the destination's relationship.
  case sourceOrder
  /// A column that the model does not explain, or a column of a table that is archived unchanged.
  case plain
}

extension TableLayout {
  /// The column of the object in whose list a column has the position; nil for any other column.
  package func ownerColumn(ofOrder column: Int) -> Int? {
    switch fields[column].role {
    case .order(let name, let entity):
      fields.firstIndex { $0.role == .toOne(name: name, entity: entity) }
    case .ownerOrder(let entity, let relationship):
      fields.firstIndex { $0.role == .owner(entity: entity, relationship: relationship) }
    default: nil
    }
  }
}

/// Consecutive rows of a table that were lost.
package struct LostRows: Sendable, Equatable {
  /// The lowest key.
  package var first: Int64
  /// The highest key; nil if the end of the rows is unknown.
  package var last: Int64?
  /// Whether there was a row of each key; otherwise the number of rows is an upper bound.
  package var isExact: Bool

  /// Creates rows.
  package init(first: Int64, last: Int64?, isExact: Bool) {
    self.first = first
    self.last = last
    self.isExact = isExact
  }
}
