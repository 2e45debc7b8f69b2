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
    public var entityName: String
    /// The name.
    public var name: String
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
