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
