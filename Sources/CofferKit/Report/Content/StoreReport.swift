public import CoreDataModel

/// Everything that a report shows about a store or an archive: its inspection, and what only the
/// rows show.
///
/// Plain values without a layout; ``html(showsValues:)`` is one way to show them. If not all rows
/// could be read, ``FindingReport/problem`` says why, and the figures cover the rows before that.
public struct StoreReport: Sendable {
  /// The model, counts, metadata and settings.
  public var inspection: Inspection
  /// The version hash of each entity by name, in hexadecimal digits; empty if unknown.
  public var versionHashes: [ExactString: String]
  /// The entities and the size of their objects, in the order of the inspection.
  public var entities: [EntitySize]
  /// The attributes and the size of their values, in the order of the tables and columns.
  public var attributes: [AttributeSize]
  /// The use of the bytes of the file, largest part first; empty if unknown.
  public var parts: [StoragePart]
  /// The persistent history over time; nil if there is none, it has no transaction, or not all of
  /// it could be read.
  public var history: HistoryGrowth?
  /// The date attributes with values over time, those with most values first.
  public var dates: [DateGrowth]
  /// The files of external binary data, and the values that can be in them.
  public var externalData: ExternalDataReport
  /// The relationships with their fan-out, in ascending order of entities and names; to-many
  /// relationships only if all rows could be read.
  public var relationships: [RelationshipFanOut]
  /// The findings of the verifier.
  public var findings: FindingReport

  /// The size of the values of all objects in bytes.
  public var valueByteCount: Int {
    entities.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
  }
}
