/// The files that belong to a store beside its database.
public struct ExternalDataInspection: Sendable, Equatable {
  /// How many files there are, those included that nothing refers to.
  public var fileCount: Int
  /// How many bytes they have together.
  public var byteCount: Int
  /// How many values refer to a file; nil for archives.
  public var referenceCount: Int?
  /// How many files that are referred to are not there; nil for archives.
  public var missingFileCount: Int?
  /// How many files nothing refers to; nil for archives.
  public var orphanedFileCount: Int?
}
