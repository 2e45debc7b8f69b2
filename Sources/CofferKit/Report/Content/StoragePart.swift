/// What a part of a store's or an archive's file is spent on.
public struct StoragePart: Sendable, Equatable {
  /// What the part holds.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects: of a store a table, of an archive the lines of one.
    case objects
    /// The pairs of a many-to-many relationship.
    case pairs
    /// Persistent history.
    case history
    /// CloudKit mirroring.
    case cloudKit = "cloudkit"
    /// Files of external binary data; of archives only.
    case externalData = "external-data"
    /// What makes a store one: metadata, model, counters, schema.
    case administration
    /// What nothing explains.
    case unknown
  }

  /// What it holds.
  public var kind: Kind
  /// The entity, the relationship as `Entity.name`, or the name of the table.
  public var name: String
  /// How many bytes of the file are spent on it, of a store with indexes and what is free in the pages.
  public var storedByteCount: Int
  /// How many bytes of those are indexes; nil for archives.
  public var indexByteCount: Int?
  /// How many bytes there are before compression; nil for stores.
  public var plainByteCount: Int?
}
