internal import CoreDataLayout
public import CoreDataModel
package import CoreDataStore

/// The content of a store or an archive.
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
  /// The managed object model.
  public var model: ManagedObjectModel
  /// The problem of the store's own copy of the model, so that the model was inferred, in the words of a
  /// words of a verification; nil for archives.
  public var modelProblem: String?
  /// The app's own keys in the store metadata, in ascending order.
  package var metadata: [MetadataValue]
  /// The reason why the store metadata could not be read; nil if it could.
  public var metadataProblem: String?
  /// The settings of the store's database.
  package var settings: InspectedSettings
  /// The entities, in the order of the model: ascending by name.
  public var entities: [EntityInspection]
  /// The many-to-many relationships with pairs of their own, in the order of the archive.
  package var relationships: [PairInspection]
  /// The persistent history; nil if the store has no such tables.
  package var history: HistoryInspection?
  /// The tables of CloudKit mirroring, in ascending order of names; empty without mirroring.
  package var cloudKit: [TableInspection]
  /// The files of external binary data.
  package var externalData: ExternalDataInspection
  /// The tables that neither the model nor the framework explains, in ascending order of names.
  package var unknownTables: [TableInspection]
  /// The columns of entities and relationships that the model does not explain.
  package var unknownColumns: [ColumnInspection]
  /// The parts of the model that the store lacks; nil for archives.
  package var missingParts: [MissingPart]?
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
  public var versionIdentifiers: [Name] { model.versionIdentifiers }
}

/// A column that the model does not explain.
package struct ColumnInspection: Sendable, Equatable {
  /// The name of the table.
  package var tableName: String
  /// The name of the column.
  package var name: String
}

/// An entity and the number of its objects.
public struct EntityInspection: Sendable, Equatable {
  /// The name; empty for objects of an unknown entity.
  public var name: Name
  /// The name of the superentity, or nil for a root entity.
  public var superentityName: Name?
  /// Whether no object can belong to exactly this entity.
  public var isAbstract: Bool
  /// The number of the entity in the store; nil if the store has none.
  public var number: Int64?
  /// The number of objects of exactly this entity, without subentities.
  public var objectCount: Int
  /// The attributes that the entity itself declares, in ascending order of names.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity itself declares, in ascending order of names.
  public var relationships: [RelationshipDescription]
}

/// A many-to-many relationship and the number of its pairs.
package struct PairInspection: Sendable, Equatable {
  /// The entity that declares the relationship.
  package var entityName: Name
  /// The name of the relationship.
  package var relationshipName: Name
  /// The name of the inverse, which may be the relationship itself; nil if it is unknown.
  package var inverseName: Name?
  /// The number of pairs.
  package var pairCount: Int
}

/// A table of the store and the number of its rows.
package struct TableInspection: Sendable, Equatable {
  /// The name of the table.
  package var name: String
  /// The number of rows.
  package var rowCount: Int
}

/// The content of the persistent history.
package struct HistoryInspection: Sendable, Equatable {
  /// The number of transactions.
  package var transactionCount: Int
  /// The number of changes.
  package var changeCount: Int
  /// The time of the first transaction as ISO 8601 text in UTC; nil without one.
  package var firstDate: String?
  /// The time of the last transaction as ISO 8601 text in UTC; nil without one.
  package var lastDate: String?
  /// The tables of the history, in ascending order of names.
  package var tables: [TableInspection]
}

/// An app's own key in the store metadata.
package struct MetadataValue: Sendable, Equatable {
  /// The key.
  package var name: String
  /// The value as the text of a property list.
  ///
  /// Apps keep tokens there, so show it only when asked.
  package var value: String
}

/// The settings of a store's database.
package struct InspectedSettings: Sendable, Equatable {
  /// The size of a page in bytes.
  package var pageSize: Int64
  /// The journal mode: `wal` or `delete`.
  package var journalMode: String
  /// The auto-vacuum mode: `none`, `full` or `incremental`.
  package var autoVacuum: String
  /// The text encoding, such as `UTF-8`.
  package var encoding: String
  /// The app's schema version (`user_version`).
  package var userVersion: Int64
  /// The app's file format number (`application_id`).
  package var applicationID: Int64
}

/// The external files of a store.
package struct ExternalDataInspection: Sendable, Equatable {
  /// The number of files in the support folder, including orphaned ones.
  package var fileCount: Int
  /// Their total size in bytes.
  package var byteCount: Int
  /// The number of values that refer to a file; nil for archives.
  package var referenceCount: Int?
  /// The number of missing files; nil for archives.
  package var missingFileCount: Int?
  /// The number of orphaned files; nil for archives.
  package var orphanedFileCount: Int?
  /// The number of files in the folders of CloudKit mirroring next to the store.
  package var companionFileCount: Int
  /// Their total size in bytes.
  package var companionByteCount: Int

  init(
    _ files: [SupportFolder.File], referenceCount: Int? = nil, missingFileCount: Int? = nil,
    orphanedFileCount: Int? = nil
  ) {
    func size(_ files: [SupportFolder.File]) -> Int {
      files.reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
    }
    let companions = files.filter { CompanionFolder.of($0.components) != nil }
    (companionFileCount, companionByteCount) = (companions.count, size(companions))
    fileCount = files.count - companions.count
    byteCount = size(files).subtractingReportingOverflow(companionByteCount).partialValue
    self.referenceCount = referenceCount
    self.missingFileCount = missingFileCount
    self.orphanedFileCount = orphanedFileCount
  }
}

/// The properties of an archive itself.
public struct ArchiveFacts: Sendable, Equatable {
  /// The version of the archive's format.
  public var formatVersion: Int64
  /// The number of entries, without the index.
  public var entryCount: Int
  /// The size of the entries in bytes, before compression.
  public var plainByteCount: Int
  /// The size of the archive file in bytes.
  public var byteCount: Int
  /// The root digest in hexadecimal digits: equal for equal archives.
  public var digest: String
  /// The content digest in hexadecimal digits: equal for archives of equal data.
  public var contentDigest: String
  /// Whether it was unpacked and packed again with standard tools.
  public var isRepacked: Bool
  /// The losses of an archive of a damaged store; nil for any other archive.
  public var salvage: SalvageFacts?
  /// Whether it is encrypted.
  public var isEncrypted: Bool
}
