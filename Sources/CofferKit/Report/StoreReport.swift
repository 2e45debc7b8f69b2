public import CoreDataModel

/// All that a report shows of a store or an archive: what an inspection tells, and what only the rows
/// do.
///
/// Plain values without any layout: ``html(showsValues:)`` is one way to show them. Where the rows
/// could not be read to their end, ``FindingReport/problem`` says why, and the numbers are those up to
/// there.
public struct StoreReport: Sendable {
  /// The model, the counts, the metadata, the settings.
  public var inspection: Inspection
  /// The version hash of each entity by name, in hexadecimal digits; empty where none are known.
  public var versionHashes: [ExactString: String]
  /// The entities with how much their objects hold, in the order of the inspection.
  public var entities: [EntitySize]
  /// The attributes with how much their values hold, in the order of the tables and columns.
  public var attributes: [AttributeSize]
  /// What the bytes of the file are spent on, the most first; empty where that cannot be told.
  public var parts: [StoragePart]
  /// The persistent history over time; nil where there is none, or no transaction in it, or
  /// it could not be read to its end.
  public var history: HistoryGrowth?
  /// The attributes that are dates, each over time, those with most values first; without values it is
  /// left out.
  public var dates: [DateGrowth]
  /// The files of external binary data, and the values that may stand in them.
  public var externalData: ExternalDataReport
  /// The relationships with their fan-out, in ascending order of entities and names; those to many only
  /// where all rows could be read.
  public var relationships: [RelationshipFanOut]
  /// What the verifier found.
  public var findings: FindingReport

  /// How many bytes the values of all objects have.
  public var valueByteCount: Int {
    entities.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
  }
}
