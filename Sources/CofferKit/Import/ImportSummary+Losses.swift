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
