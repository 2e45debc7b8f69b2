/// What an import restored.
public struct ImportSummary: Sendable {
  /// How many managed objects.
  public var objectCount: Int
  /// How many references between objects: set to-one relationships and pairs of many-to-many ones.
  public var relationshipCount: Int
  /// How many entities the model has.
  public var entityCount: Int
  /// How many rows of persistent history and of other tables beside the objects.
  public var otherRowCount: Int
  /// How many files of external binary data.
  public var externalFileCount: Int
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
