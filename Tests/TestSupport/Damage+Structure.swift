internal import Foundation

extension Damage {
  /// The table of an entity is gone.
  package static let missingTable = Damage(
    "missing-table", "the table of VisitEntity is gone", sql: "DROP TABLE ZVISITENTITY")
  /// The table of a many-to-many relationship is gone.
  package static let missingJoinTable = Damage(
    "missing-join-table", "the table of NoteEntity.links is gone", sql: "DROP TABLE Z_3BACKLINKS")
  /// The column of an attribute is gone.
  package static let missingColumn = Damage(
    "missing-column", "the column of VisitEntity.departure is gone",
    sql: "ALTER TABLE ZVISITENTITY DROP COLUMN ZDEPARTURE")
  /// An index is gone.
  package static let missingIndex = Damage(
    "missing-index", "the index of TodoEntity.parent is gone",
    sql: "DROP INDEX ZITEMENTITY_ZPARENT_INDEX")
  /// A trigger of a derived attribute is gone.
  package static let missingTrigger = Damage(
    "missing-trigger", "a trigger of LocationEntity.todoCount is gone",
    sql: "DROP TRIGGER Z_DA_ZITEMENTITY_LocationEntity_todoCount_PARAMETER_DELETE")
  /// The table that names the entities is gone.
  package static let missingPrimaryKeyTable = Damage(
    "missing-primary-key-table", "Z_PRIMARYKEY is gone", sql: "DROP TABLE Z_PRIMARYKEY")
  /// An entity is not named.
  package static let missingPrimaryKeyRow = Damage(
    "missing-primary-key-row", "Z_PRIMARYKEY does not name VisitEntity",
    sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'VisitEntity'")
  /// An entity is named differently than in the model.
  package static let unknownPrimaryKeyName = Damage(
    "unknown-primary-key-name", "Z_PRIMARYKEY has another name for VisitEntity",
    sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'StayEntity' WHERE Z_NAME = 'VisitEntity'")
  /// The table of the metadata is gone.
  package static let missingMetadataTable = Damage(
    "missing-metadata-table", "Z_METADATA is gone", sql: "DROP TABLE Z_METADATA")
  /// There is no metadata.
  package static let missingMetadata = Damage(
    "missing-metadata", "Z_METADATA has no row", sql: "DELETE FROM Z_METADATA")
  /// The metadata is no property list.
  package static let garbageMetadata = Damage(
    "garbage-metadata", "the metadata is no property list",
    sql: "UPDATE Z_METADATA SET Z_PLIST = x'62706c6973743030ffff'")
  /// The digest of the version hashes is wrong.
  package static let wrongHashDigest = Damage(
    "wrong-hash-digest", "NSStoreModelVersionHashesDigest is not that of the hashes"
  ) { path in
    try open(path) { database in
      let row = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first
      guard case .blob(let bytes)? = row else { throw GeneratorError("no metadata") }
      // The digest is the only text of 88 characters: 64 bytes in base64.
      let marker = Data([0x5f, 0x10, 88])
      var data = Data(bytes)
      guard let found = data.range(of: marker) else { throw GeneratorError("no digest") }
      let index = found.upperBound
      data[index] = data[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(Array(data))])
    }
  }
  /// The store has no copy of its model.
  package static let missingModelCache = Damage(
    "missing-model-cache", "Z_MODELCACHE has no row", sql: "DELETE FROM Z_MODELCACHE")
  /// The table with the copy of the model is gone, as in old stores.
  package static let missingModelCacheTable = Damage(
    "missing-model-cache-table", "Z_MODELCACHE is gone", sql: "DROP TABLE Z_MODELCACHE")
  /// The copy of the model cannot be read.
  package static let garbageModelCache = Damage(
    "garbage-model-cache", "the copy of the model cannot be read",
    sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00010203'")
  /// The copy of the model is cut off.
  package static let cutModelCache = Damage(
    "cut-model-cache", "the copy of the model is cut off",
    sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)")

  static let structure = [
    missingTable, missingJoinTable, missingColumn, missingIndex, missingTrigger,
    missingPrimaryKeyTable, missingPrimaryKeyRow, unknownPrimaryKeyName, missingMetadataTable,
    missingMetadata, garbageMetadata, wrongHashDigest, missingModelCache, missingModelCacheTable,
    garbageModelCache, cutModelCache,
  ]
}
