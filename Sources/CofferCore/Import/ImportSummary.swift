public import CoreDataModel

/// The result of an import.
public struct ImportSummary: Sendable {
  /// The restored content.
  public var content: ContentCounts
  /// The number of restored managed objects.
  public var objectCount: Int { content.objectCount }
  /// The archive's root digest in hexadecimal digits; empty where its index is lost.
  public var digest: String
  /// The archive's content digest in hexadecimal digits; empty if its index is lost, if anything else was
  /// lost, and if only some objects were restored.
  ///
  /// An archive of the restored store has the same one, unless the import changed something.
  public var contentDigest: String
  /// The UUID of the restored store; nil if it has none.
  public var storeUUID: String?
  /// The findings, such as dangling references, inverses that disagree and counters that were too
  /// low.
  public var findings: [Finding]
  /// The number of findings of each severity, including unlisted ones.
  public var counts: [FindingSeverity: Int]
  /// The losses of a damaged archive; nil unless the import salvaged.
  public var losses: Losses?
  /// The objects left out; nil unless only some objects were restored.
  public var selection: SelectionSummary?
}

extension ImportSummary {
  /// The known losses of an import of a damaged archive.
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

extension CofferError {
  /// The findings of a strict import, or of a changed store; empty for errors with codes other than
  /// ``Code/strictFindings`` and ``Code/newFindings``.
  public var findings: [Finding] { evidence as? [Finding] ?? [] }
}
