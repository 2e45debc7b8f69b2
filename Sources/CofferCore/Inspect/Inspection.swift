public import CoreDataModel

/// What a store or an archive contains.
///
/// Properties that only one of the two has are nil for the other, as noted.
public struct Inspection: Sendable {
  /// Whether it is a store or an archive.
  public var kind: SourceKind
  /// The path: for a store, absolute and without symbolic links; for an archive, as given.
  public var path: String
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The version of the framework that last wrote the store; nil if it is unknown.
  public var frameworkVersion: Int64?
  /// The systems with that version, such as `macOS 14 / iOS 17`; nil without a version.
  public var frameworkEra: String?
  /// Whether the store was ever migrated in place; false if it is unknown.
  public var wasMigratedInPlace: Bool
  /// The managed object model; its ``ManagedObjectModel/source`` says where it was found.
  public var model: ManagedObjectModel
  /// What is wrong with the store's own copy of the model, so that the model was inferred, in the
  /// words of a verification; nil for archives.
  public var modelProblem: String?
  /// The app's own keys in the store metadata, in ascending order.
  public var metadata: [MetadataValue]
  /// The reason why the store metadata could not be read; nil if it could.
  public var metadataProblem: String?
  /// The settings of the store's database.
  public var settings: InspectedSettings
  /// The entities, in the order of the model: ascending by name.
  public var entities: [EntityInspection]
  /// The many-to-many relationships with pairs of their own, in the order of the archive.
  public var relationships: [PairInspection]
  /// The persistent history; nil if the store has no such tables.
  public var history: HistoryInspection?
  /// The tables of CloudKit mirroring, in ascending order of names; empty without mirroring.
  public var cloudKit: [TableInspection]
  /// The files of external binary data.
  public var externalData: ExternalDataInspection
  /// The tables that neither the model nor the framework explains, in ascending order of names.
  public var unknownTables: [TableInspection]
  /// The columns of entities and relationships that the model does not explain.
  public var unknownColumns: [ColumnInspection]
  /// The parts of the model that the store lacks; nil for archives.
  public var missingParts: [MissingPartInspection]?
  /// The size of the store in bytes, without its external data; nil for archives.
  public var byteCount: Int?
  /// The part of this size that is free for new rows, in bytes; nil for archives.
  public var freeByteCount: Int?
  /// The size of the store's `-wal` file in bytes, whose changes are not in the main file yet; 0 without
  /// one, nil for archives.
  public var logByteCount: Int?
  /// The properties of the archive itself; nil for stores.
  public var archive: ArchiveFacts?

  /// The number of objects.
  public var objectCount: Int { entities.reduce(0) { $0 + $1.objectCount } }

  /// The version identifiers of the model, sorted.
  public var versionIdentifiers: [String] { model.versionIdentifiers }
}
