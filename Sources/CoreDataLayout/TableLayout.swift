/// What a table of a store holds and what each of its columns means, and the folder of its lines in an
/// archive.
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
    /// The store metadata.
    case metadata
    /// The entity numbers and the counters of primary keys.
    case primaryKeys = "primary-keys"
    /// The copy of the model that the store keeps.
    case modelCache = "model-cache"
    /// Persistent history.
    case history
    /// CloudKit mirroring.
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
  package var entityName: String?
  /// The relationship, for pairs; nil for other kinds.
  package var relationshipName: String?
  /// Whether lines carry a row number under `$row`, because no column does.
  package var hasRowNumbers: Bool
  /// Its columns in the order of the store.
  package var fields: [FieldLayout]

  /// Whether it is a table of SQLite's own, such as `sqlite_sequence`, which SQLite itself may fill
  /// while rows are inserted into other tables.
  package var isInternal: Bool { storedName.lowercased().hasPrefix("sqlite_") }

  /// Creates a layout.
  package init(
    folder: String, storedName: String, kind: Kind, entityName: String? = nil,
    relationshipName: String? = nil, hasRowNumbers: Bool = false, fields: [FieldLayout]
  ) {
    self.folder = folder
    self.storedName = storedName
    self.kind = kind
    self.entityName = entityName
    self.relationshipName = relationshipName
    self.hasRowNumbers = hasRowNumbers
    self.fields = fields
  }
}

/// One column of a table and what it means.
package struct FieldLayout: Sendable, Equatable {
  /// The name of the column in the store.
  package var storedName: String
  /// What it means.
  package var role: FieldRole

  /// Creates a field.
  package init(storedName: String, role: FieldRole) {
    self.storedName = storedName
    self.role = role
  }
}
