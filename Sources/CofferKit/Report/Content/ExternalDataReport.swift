/// The files of external binary data, and the values that may stand in them.
public struct ExternalDataReport: Sendable, Equatable {
  /// Files of similar size.
  public struct SizeClass: Sendable, Equatable {
    /// The files have fewer bytes than this; nil for the largest.
    public var limit: Int?
    /// How many files.
    public var fileCount: Int
    /// How many bytes they have together.
    public var byteCount: Int
  }

  /// A file.
  public struct File: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// How many bytes it has.
    public var byteCount: Int
  }

  /// An attribute whose values may stand in files.
  public struct Attribute: Sendable, Equatable {
    /// The entity that declares it.
    public var entityName: String
    /// The name.
    public var name: String
    /// How many values stand in their row.
    public var inlineCount: Int
    /// How many bytes those have.
    public var inlineByteCount: Int
    /// How many values refer to a file.
    public var referenceCount: Int
  }

  /// How many files there are.
  public var fileCount: Int
  /// How many bytes they have together.
  public var byteCount: Int
  /// The files by size, the smallest first, each class ten times the one before; empty without files.
  public var sizes: [SizeClass]
  /// The largest files, at most five.
  public var largest: [File]
  /// The attributes, in the order of the tables and columns.
  public var attributes: [Attribute]
  /// How many values refer to a file that is not there.
  public var missingCount: Int
  /// How many files nothing refers to.
  public var orphanedCount: Int
}
