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
  /// The trigger that a derived attribute certainly has is gone.
  package static let missingSourceTrigger = Damage(
    "missing-source-trigger", "the trigger of new objects with TodoEntity.locationName is gone",
    sql: "DROP TRIGGER Z_DA_ZITEMENTITY_TodoEntity_locationName_SOURCE_INSERT")
  /// The index of a uniqueness constraint is gone.
  package static let missingUniqueIndex = Damage(
    "missing-unique-index", "the index that keeps the names of tags apart is gone",
    sql: "DROP INDEX Z_TagEntity_UNIQUE_name")
  /// The column with the version counters is gone.
  package static let missingVersionColumn = Damage(
    "missing-version-column", "the table of VisitEntity has no version counters",
    sql: "ALTER TABLE ZVISITENTITY DROP COLUMN Z_OPT")
  /// The column of an element of a composite attribute is gone.
  package static let missingElementColumn = Damage(
    "missing-element-column", "the column of LocationEntity.place.latitude is gone",
    sql: "ALTER TABLE ZLOCATIONENTITY DROP COLUMN ZLATITUDE")
  /// The column of a to-one relationship is gone, with its index.
  package static let missingToOneColumn = Damage(
    "missing-to-one-column", "the column of NoteEntity.author is gone",
    sql: """
      DROP INDEX ZITEMENTITY_ZAUTHOR_INDEX; ALTER TABLE ZITEMENTITY DROP COLUMN ZAUTHOR
      """)
  /// The column with the entities of a relationship's destinations is gone.
  package static let missingEntityColumn = Damage(
    "missing-entity-column", "the column with the entity of AttachmentEntity.item is gone",
    sql: "ALTER TABLE ZATTACHMENTENTITY DROP COLUMN Z2_ITEM")
  /// The column with the positions in an ordered relationship is gone.
  package static let missingOrderColumn = Damage(
    "missing-order-column", "the column with the order of ItemEntity.attachments is gone",
    sql: "ALTER TABLE ZATTACHMENTENTITY DROP COLUMN Z_FOK_ITEM")
  /// The column with the positions in an ordered many-to-many relationship is gone.
  package static let missingPairOrderColumn = Damage(
    "missing-pair-order-column", "the column with the order of NoteEntity.links is gone",
    sql: "ALTER TABLE Z_3BACKLINKS DROP COLUMN Z_FOK_3LINKS")
  /// The column with the owners in a to-many relationship without inverse is gone.
  package static let missingOwnerColumn = Damage(
    "missing-owner-column", "the column with the owner in LocationEntity.visits is gone",
    sql: """
      DROP INDEX IF EXISTS ZVISITENTITY_Z6VISITS_INDEX;
      ALTER TABLE ZVISITENTITY DROP COLUMN Z6VISITS
      """)

  /// A trigger calls a function that neither SQLite nor Core Data has.
  package static let unusualTrigger = Damage(
    "unusual-trigger", "a trigger of the app's own calls a function of the app's own",
    sql: "CREATE TRIGGER APP AFTER INSERT ON ZTAGENTITY BEGIN SELECT app_function(NEW.Z_PK); END")
  /// A column has an unknown collation.
  package static let unknownCollation = Damage(
    "unknown-collation", "TagEntity.name has a collation that only the app has",
    sql: """
      PRAGMA writable_schema = ON; UPDATE sqlite_master
      SET sql = replace(sql, 'ZNAME VARCHAR', 'ZNAME VARCHAR COLLATE app_collation')
      WHERE name = 'ZTAGENTITY'
      """)

  static let structure = [
    missingTable, missingJoinTable, missingColumn, missingIndex, missingTrigger,
    missingSourceTrigger, missingUniqueIndex,
    missingVersionColumn, missingElementColumn, missingToOneColumn, missingEntityColumn,
    missingOrderColumn, missingPairOrderColumn, missingOwnerColumn,
    unusualTrigger, unknownCollation,
  ]
}
