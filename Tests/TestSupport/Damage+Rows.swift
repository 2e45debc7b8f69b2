extension Damage {
  /// Primary keys are reused: the recorded last one is below keys in use.
  package static let staleMaximum = Damage(
    "stale-maximum", "the last primary key of ItemEntity is noted as 1, but there are higher ones",
    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'ItemEntity'")
  /// The last primary key noted is nothing that could be counted on.
  package static let missingMaximum = Damage(
    "missing-maximum", "the last primary key of ItemEntity is not noted",
    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'ItemEntity'")
  /// The recorded last primary key of a table of the history is below keys in use.
  package static let staleHistoryMaximum = Damage(
    "stale-history-maximum", "the last primary key of the changes is noted as 1",
    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'CHANGE'")
  /// A sub-entity has a counter of its own.
  package static let maximumOfSubentity = Damage(
    "maximum-of-subentity", "a last primary key is noted for NoteEntity, which is a sub-entity",
    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'NoteEntity'")
  /// The primary key of an object is below 1.
  package static let negativePrimaryKey = Damage(
    "negative-primary-key", "the visit 4 has the primary key -4",
    sql: "UPDATE ZVISITENTITY SET Z_PK = -4 WHERE Z_PK = 4")
  /// The version of an object is missing.
  package static let missingVersion = Damage(
    "missing-version", "TagEntity/p1 has no version",
    sql: "UPDATE ZTAGENTITY SET Z_OPT = NULL WHERE Z_PK = 1")
  /// The version of an object is below 1.
  package static let zeroVersion = Damage(
    "zero-version", "TagEntity/p1 has the version 0",
    sql: "UPDATE ZTAGENTITY SET Z_OPT = 0 WHERE Z_PK = 1")
  /// The version of an object is not an integer.
  package static let textVersion = Damage(
    "text-version", "TagEntity/p1 has a text as its version",
    sql: "UPDATE ZTAGENTITY SET Z_OPT = 'one' WHERE Z_PK = 1")
  /// An object is of an entity that belongs to another table.
  package static let foreignEntity = Damage(
    "foreign-entity", "the item 9 is said to be a location",
    sql: "UPDATE ZITEMENTITY SET Z_ENT = 6 WHERE Z_PK = 9")
  /// An object is of an entity that there is not.
  package static let unknownEntity = Damage(
    "unknown-entity", "the item 9 is of an entity that there is not",
    sql: "UPDATE ZITEMENTITY SET Z_ENT = 77 WHERE Z_PK = 9")
  /// An object has no entity.
  package static let missingEntity = Damage(
    "missing-entity", "the item 9 has no entity",
    sql: "UPDATE ZITEMENTITY SET Z_ENT = NULL WHERE Z_PK = 9")
  /// An object is of an abstract entity.
  package static let abstractEntity = Damage(
    "abstract-entity", "the item 9 is of the abstract entity ItemEntity",
    sql: "UPDATE ZITEMENTITY SET Z_ENT = 2 WHERE Z_PK = 9")

  static let rows = [
    staleMaximum, missingMaximum, staleHistoryMaximum, maximumOfSubentity, negativePrimaryKey,
    missingVersion, zeroVersion, textVersion, foreignEntity, unknownEntity, missingEntity,
    abstractEntity,
  ]

  /// A mandatory attribute without default value is not set.
  package static let mandatoryAttributeMissing = Damage(
    "mandatory-attribute-missing", "VisitEntity/p1.arrival is mandatory, but not set",
    sql: "UPDATE ZVISITENTITY SET ZARRIVAL = NULL WHERE Z_PK = 1")
  /// A mandatory attribute with a default value is not set, as after some migrations.
  package static let defaultedAttributeMissing = Damage(
    "defaulted-attribute-missing", "TagEntity/p1.color is mandatory and not set, but has a default",
    sql: "UPDATE ZTAGENTITY SET ZCOLOR = NULL WHERE Z_PK = 1")
  /// A number is a text.
  package static let wrongStorageClass = Damage(
    "wrong-storage-class", "TagEntity/p1.color is a text",
    sql: "UPDATE ZTAGENTITY SET ZCOLOR = 'red' WHERE Z_PK = 1")
  /// A text is bytes.
  package static let blobForText = Damage(
    "blob-for-text", "PersonEntity/p1.name is bytes",
    sql: "UPDATE ZPERSONENTITY SET ZNAME = x'416461' WHERE Z_PK = 1")
  /// An integer does not fit its type.
  package static let integerOutOfRange = Damage(
    "integer-out-of-range", "TodoEntity/p1.flags does not fit 16 bits",
    sql: "UPDATE ZITEMENTITY SET ZFLAGS = 40000 WHERE Z_PK = 1")
  /// A truth value is neither 0 nor 1.
  package static let strangeBoolean = Damage(
    "strange-boolean", "PersonEntity/p1.isActive is 2",
    sql: "UPDATE ZPERSONENTITY SET ZISACTIVE = 2 WHERE Z_PK = 1")
  /// A UUID has not 16 bytes.
  package static let shortUUID = Damage(
    "short-uuid", "TodoEntity/p1.uuid has 15 bytes",
    sql: "UPDATE ZITEMENTITY SET ZUUID = substr(ZUUID, 1, 15) WHERE Z_PK = 1")
  /// A text is not UTF-8.
  package static let invalidText = Damage(
    "invalid-text", "PersonEntity/p1.name is not UTF-8",
    sql: "UPDATE ZPERSONENTITY SET ZNAME = CAST(x'4164ffc0' AS TEXT) WHERE Z_PK = 1")
  /// A floating point number is infinite.
  package static let infiniteNumber = Damage(
    "infinite-number", "TodoEntity/p1.estimate is infinite",
    sql: "UPDATE ZITEMENTITY SET ZESTIMATE = 9e999 WHERE Z_PK = 1")
  /// A date is infinite.
  package static let infiniteDate = Damage(
    "infinite-date", "VisitEntity/p1.departure is infinite",
    sql: "UPDATE ZVISITENTITY SET ZDEPARTURE = -9e999 WHERE Z_PK = 1")
  /// Two objects have the same value although it must be unique; the index is gone too.
  package static let uniquenessViolated = Damage(
    "uniqueness-violated", "two tags have the same name, and the index that forbids it is gone",
    sql: """
      DROP INDEX Z_TagEntity_UNIQUE_name;
      UPDATE ZTAGENTITY SET ZNAME = 'home' WHERE Z_PK = 2
      """)
  /// A derived attribute has not the value that it is derived from.
  package static let wrongDerivedCount = Damage(
    "wrong-derived-count", "LocationEntity/p1.todoCount is not the number of its to-dos",
    sql: "UPDATE ZLOCATIONENTITY SET ZTODOCOUNT = 99 WHERE Z_PK = 1")

  static let values = [
    mandatoryAttributeMissing, defaultedAttributeMissing, wrongStorageClass, blobForText,
    integerOutOfRange, strangeBoolean, shortUUID, invalidText, infiniteNumber, infiniteDate,
    uniquenessViolated,
    wrongDerivedCount,
  ]
}
