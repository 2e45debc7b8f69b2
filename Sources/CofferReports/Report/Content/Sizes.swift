package import CoreDataModel

/// The size of the values of an attribute.
package struct AttributeSize: Sendable, Equatable {
  /// The declaring entity.
  package var entityName: Name
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  package var name: Name
  /// The type.
  package var type: AttributeType
  /// The number of objects with the attribute, including subentities of the entity.
  package var ownerCount: Int
  /// The number of objects with a value.
  package var valueCount: Int
  /// The size of the values in their rows, in bytes.
  package var byteCount: Int

  /// Whether there are objects, but none has a value.
  package var isNeverSet: Bool { valueCount == 0 && ownerCount > 0 }
}

/// The size of the objects of an entity.
package struct EntitySize: Sendable, Equatable {
  /// The name; empty for objects of an unknown entity.
  package var name: Name
  /// The number of objects of exactly this entity, without subentities.
  package var objectCount: Int
  /// The size of their values in their rows, in bytes.
  ///
  /// Text and blobs count as stored, numbers with the fewest bytes that SQLite needs. External
  /// files do not count.
  package var byteCount: Int
}

/// The files of external binary data, and the values that can be in them.
package struct ExternalDataReport: Sendable, Equatable {
  /// A file.
  package struct File: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The size in bytes.
    package var byteCount: Int
  }

  /// An attribute that allows external storage.
  package struct Attribute: Sendable, Equatable {
    /// The declaring entity.
    package var entityName: Name
    /// The name.
    package var name: Name
    /// The number of values in rows.
    package var inlineCount: Int
    /// The size of these values in bytes.
    package var inlineByteCount: Int
    /// The number of values that refer to a file.
    package var referenceCount: Int
  }

  /// The number of files.
  package var fileCount: Int
  /// Their total size in bytes.
  package var byteCount: Int
  /// The largest files, at most five.
  package var largest: [File]
  /// The attributes, in the order of the tables and columns.
  package var attributes: [Attribute]
  /// The number of values that refer to a missing file.
  package var missingCount: Int
  /// The number of orphaned files.
  package var orphanedCount: Int
}

/// A part of a store's or an archive's file.
package struct StoragePart: Sendable, Equatable {
  /// The kinds of content.
  package enum Kind: String, Sendable, CaseIterable {
    /// Objects: in a store a table, in an archive its lines.
    case objects
    /// The pairs of a many-to-many relationship.
    case pairs
    case history
    case cloudKit = "cloudkit"
    /// Files of external binary data; only in archives.
    case externalData = "external-data"
    /// Core Data's own tables: metadata, model, counters, schema.
    case administration
    /// Unexplained content.
    case unknown
  }

  /// The kind of content.
  package var kind: Kind
  /// The entity, the relationship as `Entity.name`, or the name of the table.
  package var name: String
  /// The number of bytes in the file; for a store, including indexes and free space in pages.
  package var storedByteCount: Int
  /// The number of these bytes in indexes; nil for archives.
  package var indexByteCount: Int?
  /// The number of bytes before compression; nil for stores.
  package var plainByteCount: Int?
}
