/// What an export wrote.
public struct ExportSummary: Sendable {
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
  /// The archive's root digest in hexadecimal digits: equal for archives of equal content.
  public var digest: String
  /// How many bytes the entries have before compression.
  public var plainByteCount: Int
  /// How many bytes the archive has.
  public var byteCount: Int
  /// Whether something could not be read, so that the archive is marked as salvaged.
  public var isSalvaged = false
  /// How many rows were lost in a salvage, objects among them: exactly, or at most.
  public var lostRowCount = 0
  /// Whether ``lostRowCount`` is exact.
  public var lostRowCountIsExact = true
  /// How many values were lost from objects that were not.
  public var lostValueCount = 0
  /// How many tables lost all that they held.
  public var lostTableCount = 0
  /// What was found: external data that are referred to and missing, above all.
  public var findings: [Finding]
  /// How many errors are among the findings, those included that are too many to be listed.
  public var errorCount: Int
}
