public import CoreDataModel

/// The size of the values of an attribute.
public struct AttributeSize: Sendable, Equatable {
  /// The declaring entity.
  public var entityName: Name
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  public var name: Name
  /// The type.
  public var type: AttributeType
  /// The number of objects with the attribute, including subentities of the entity.
  public var ownerCount: Int
  /// The number of objects with a value.
  public var valueCount: Int
  /// The size of the values in their rows, in bytes.
  public var byteCount: Int

  /// Whether there are objects, but none has a value.
  public var isNeverSet: Bool { valueCount == 0 && ownerCount > 0 }
}

/// The size of the objects of an entity.
public struct EntitySize: Sendable, Equatable {
  /// The name; empty for objects of an unknown entity.
  public var name: Name
  /// The number of objects of exactly this entity, without subentities.
  public var objectCount: Int
  /// The size of their values in their rows, in bytes.
  ///
  /// Text and blobs count as stored, numbers with the fewest bytes that SQLite needs. External
  /// files do not count.
  public var byteCount: Int
}

/// The files of external binary data, and the values that can be in them.
public struct ExternalDataReport: Sendable, Equatable {
  /// Files of similar size.
  public struct SizeClass: Sendable, Equatable {
    /// The upper limit of the file size in bytes; nil for the largest.
    public var limit: Int?
    /// The number of files.
    public var fileCount: Int
    /// Their total size in bytes.
    public var byteCount: Int
  }

  /// A file.
  public struct File: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The size in bytes.
    public var byteCount: Int
  }

  /// An attribute that allows external storage.
  public struct Attribute: Sendable, Equatable {
    /// The declaring entity.
    public var entityName: Name
    /// The name.
    public var name: Name
    /// The number of values in rows.
    public var inlineCount: Int
    /// The size of these values in bytes.
    public var inlineByteCount: Int
    /// The number of values that refer to a file.
    public var referenceCount: Int
  }

  /// The number of files.
  public var fileCount: Int
  /// Their total size in bytes.
  public var byteCount: Int
  /// The files by size, smallest first, each class ten times the one before; empty without files.
  public var sizes: [SizeClass]
  /// The largest files, at most five.
  public var largest: [File]
  /// The attributes, in the order of the tables and columns.
  public var attributes: [Attribute]
  /// The number of values that refer to a missing file.
  public var missingCount: Int
  /// The number of orphaned files.
  public var orphanedCount: Int
}

/// A part of a store's or an archive's file.
public struct StoragePart: Sendable, Equatable {
  /// The kinds of content.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects: in a store a table, in an archive its lines.
    case objects
    /// The pairs of a many-to-many relationship.
    case pairs
    /// Persistent history.
    case history
    /// CloudKit mirroring.
    case cloudKit = "cloudkit"
    /// Files of external binary data; only in archives.
    case externalData = "external-data"
    /// Core Data's own tables: metadata, model, counters, schema.
    case administration
    /// Unexplained content.
    case unknown
  }

  /// The kind of content.
  public var kind: Kind
  /// The entity, the relationship as `Entity.name`, or the name of the table.
  public var name: String
  /// The number of bytes in the file; for a store, including indexes and free space in pages.
  public var storedByteCount: Int
  /// The number of these bytes in indexes; nil for archives.
  public var indexByteCount: Int?
  /// The number of bytes before compression; nil for stores.
  public var plainByteCount: Int?
}
