/// The external files of a store.
public struct ExternalDataInspection: Sendable, Equatable {
  /// The number of files, including orphaned ones.
  public var fileCount: Int
  /// The total size in bytes.
  public var byteCount: Int
  /// The number of values that refer to a file; nil for archives.
  public var referenceCount: Int?
  /// The number of missing files; nil for archives.
  public var missingFileCount: Int?
  /// The number of orphaned files; nil for archives.
  public var orphanedFileCount: Int?
}
