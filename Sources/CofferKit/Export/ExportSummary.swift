/// The result of an export.
public struct ExportSummary: Sendable {
  /// The number of managed objects.
  public var objectCount: Int
  /// The number of references between objects: to-one relationships with a destination, and pairs
  /// of many-to-many relationships.
  public var relationshipCount: Int
  /// The number of entities in the model.
  public var entityCount: Int
  /// The number of rows of persistent history and of other tables.
  public var otherRowCount: Int
  /// The number of external binary data files.
  public var externalFileCount: Int
  /// The archive's root digest in hexadecimal digits: equal for archives of equal content.
  public var digest: String
  /// The size of the entries in bytes, before compression.
  public var plainByteCount: Int
  /// The size of the archive in bytes.
  public var byteCount: Int
  /// Whether something could not be read, so that the archive is marked as salvaged.
  public var isSalvaged = false
  /// The number of rows lost in a salvage, including objects: exact, or an upper bound.
  public var lostRowCount = 0
  /// Whether ``lostRowCount`` is exact.
  public var lostRowCountIsExact = true
  /// The number of values lost from objects that were not lost.
  public var lostValueCount = 0
  /// The number of tables that lost everything.
  public var lostTableCount = 0
  /// The findings, mainly missing files of external binary data.
  public var findings: [Finding]
  /// The number of errors among the findings, including those not listed.
  public var errorCount: Int
}
