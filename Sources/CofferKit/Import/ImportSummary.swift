/// What an import restored.
public struct ImportSummary: Sendable {
  /// What was restored.
  public var content: ContentCounts
  /// How many managed objects were restored.
  public var objectCount: Int { content.objectCount }
  /// The archive's root digest in hexadecimal digits; empty where its index is lost.
  public var digest: String
  /// The UUID of the restored store; nil where it has none.
  public var storeUUID: String?
  /// What was found: references that lead nowhere, inverses that disagree, counters that lagged.
  public var findings: [Finding]
  /// How many findings there were of each severity, those included that are too many to be listed.
  public var counts: [FindingSeverity: Int]
  /// What a damaged archive has lost; nil unless it was to be salvaged.
  public var losses: Losses?
}

extension ImportSummary {
  /// What an import of a damaged archive could not restore, as far as it is known.
  public struct Losses: Sendable, Equatable {
    /// How many entries of the archive did not come whole.
    public var entryCount = 0
    /// How many managed objects they held, lost lines included; more where ``isComplete`` is false.
    public var objectCount = 0
    /// How many lines could not be read of entries that came whole.
    public var lineCount = 0
    /// How many values are missing from objects that were restored.
    public var valueCount = 0
    /// Whether the archive's index could be read; if not, more may be lost than is known.
    public var isComplete = true

    /// Creates losses of nothing.
    public init() {}
  }
}
