public import CoreDataModel

/// What a store or an archive holds.
///
/// What only one of both can tell is nil for the other; each property says so.
public struct Inspection: Sendable {
  /// Whether it is a store or an archive.
  public var kind: SourceKind
  /// The path: of a store absolute and without symbolic links, of an archive as it was given.
  public var path: String
  /// The UUID of the store; nil where it has none.
  public var storeUUID: String?
  /// The version of the framework that wrote the store last; nil where it does not say.
  public var frameworkVersion: Int64?
  /// The systems of that version, such as `macOS 14 / iOS 17`; nil without a version.
  public var frameworkEra: String?
  /// Whether the store was ever migrated in place; false where it does not say.
  public var wasMigratedInPlace: Bool
  /// The managed object model; ``ManagedObjectModel/source`` tells where it was found.
  public var model: ManagedObjectModel
  /// Why the store's own copy of the model could not be used, so that it was inferred; nil when
  /// nothing was wrong, and for archives.
  public var modelProblem: String?
  /// The keys that the app set in the store metadata, in ascending order.
  public var metadata: [MetadataValue]
  /// Why the store metadata could not be read; nil when they could.
  public var metadataProblem: String?
  /// The settings of the store's database.
  public var settings: InspectedSettings
  /// The entities, in the order of the model: ascending by name.
  public var entities: [EntityInspection]
  /// The many-to-many relationships that have pairs of their own, in the order of the archive.
  public var relationships: [PairInspection]
  /// The persistent history; nil where the store has no such tables.
  public var history: HistoryInspection?
  /// The tables of CloudKit mirroring, in ascending order of names; empty without mirroring.
  public var cloudKit: [TableInspection]
  /// The files of external binary data.
  public var externalData: ExternalDataInspection
  /// The tables that neither the model nor the framework explains, in ascending order of names.
  public var unknownTables: [TableInspection]
  /// The columns of entities and relationships that the model does not explain.
  public var unknownColumns: [ColumnInspection]
  /// What the model asks for and the store lacks; nil for archives.
  public var missingParts: [MissingPartInspection]?
  /// The size of the store in bytes, without its external data; nil for archives.
  public var byteCount: Int?
  /// What is known of the archive as such; nil for stores.
  public var archive: ArchiveFacts?

  /// How many objects there are.
  public var objectCount: Int { entities.reduce(0) { $0 + $1.objectCount } }

  /// The version identifiers of the model, sorted.
  public var versionIdentifiers: [String] { model.versionIdentifiers }
}
