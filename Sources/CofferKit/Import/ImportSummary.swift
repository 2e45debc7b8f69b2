/// The result of an import.
public struct ImportSummary: Sendable {
  /// The number of managed objects.
  public var objectCount: Int
  /// The number of references between objects: non-nil to-one relationships and pairs of
  /// many-to-many relationships.
  public var relationshipCount: Int
  /// The number of entities in the model.
  public var entityCount: Int
  /// The number of rows of persistent history and other tables without objects.
  public var otherRowCount: Int
  /// The number of files of external binary data.
  public var externalFileCount: Int
  /// The archive's root digest in hexadecimal; empty if its index is lost.
  public var digest: String
  /// The UUID of the restored store; nil if it has none.
  public var storeUUID: String?
  /// The findings, such as dangling references, inverses that disagree and counters that were too
  /// low.
  public var findings: [Finding]
  /// The number of findings of each severity, including those that are not listed.
  public var counts: [FindingSeverity: Int]
  /// What the damaged archive lost; nil unless the import salvaged.
  public var losses: Losses?
}

extension ImportSummary {
  /// What an import of a damaged archive could not restore, as far as known.
  public struct Losses: Sendable, Equatable {
    /// The number of incomplete or missing entries of the archive.
    public var entryCount = 0
    /// The number of managed objects in them, plus lost lines; possibly more if ``isComplete`` is
    /// false.
    public var objectCount = 0
    /// The number of unreadable lines in complete entries.
    public var lineCount = 0
    /// The number of missing values of restored objects.
    public var valueCount = 0
    /// Whether the archive's index was readable.
    ///
    /// If not, more may be lost than is known.
    public var isComplete = true

    /// Creates a value without losses.
    public init() {}
  }
}
