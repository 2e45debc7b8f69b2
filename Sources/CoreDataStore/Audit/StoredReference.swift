/// A column that holds primary keys of objects of another table, or of the same one.
package struct StoredReference: Sendable, Equatable {
  /// A table of objects.
  package struct Table: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The column of the primary key.
    package var primaryKey: String
    /// The column of the entity's number.
    package var entity: String

    /// Creates a reference to a table.
    package init(name: String, primaryKey: String, entity: String) {
      self.name = name
      self.primaryKey = primaryKey
      self.entity = entity
    }
  }

  /// The table that the column is in.
  package var source: Table
  /// The column.
  package var column: String
  /// The column with the number of the destination's entity; nil if there is none.
  package var entityColumn: String?
  /// The table that it leads to.
  package var destination: Table
  /// The numbers of the entities that it may lead to.
  package var allowedEntities: [Int64]
  /// The numbers of the entities whose rows it is a property of.
  package var sourceEntities: [Int64]
  /// The column of the destination that leads back, for a one-to-one relationship.
  package var inverseColumn: String?

  /// Creates a reference from its columns and tables.
  package init(
    source: Table, column: String, entityColumn: String?, destination: Table,
    allowedEntities: [Int64], sourceEntities: [Int64], inverseColumn: String?
  ) {
    self.source = source
    self.column = column
    self.entityColumn = entityColumn
    self.destination = destination
    self.allowedEntities = allowedEntities
    self.sourceEntities = sourceEntities
    self.inverseColumn = inverseColumn
  }
}

/// The defects of a reference.
package struct ReferenceDefect: Sendable, Equatable {
  /// The kinds of defects.
  package enum Kind: Sendable, Hashable {
    /// There is no such object.
    case dangling
    /// The object is of an entity that is not allowed.
    case wrongEntity
    /// The entity stored with the reference is not that of the object, is set without a reference,
    /// or is missing with one.
    case wrongEntityColumn
    /// The object at the other end of a one-to-one relationship leads nowhere.
    case inverseMissing
    /// The object at the other end of a one-to-one relationship leads elsewhere.
    case inverseMismatch
  }

  /// The defect.
  package var kind: Kind
  /// The primary key of the object.
  package var primaryKey: Int64
  /// The number of its entity; 0 if it has none.
  package var entity: Int64
}
