extension Damage {
  /// A to-one relationship without inverse leads to an object that is not there.
  package static let danglingToOne = Damage(
    "dangling-to-one", "NoteEntity/p6.author leads to a person that is not there",
    sql: "UPDATE ZITEMENTITY SET ZAUTHOR = 999 WHERE Z_PK = 6")
  /// A to-one relationship with inverse and a derived copy leads to an object that is not there.
  package static let danglingToOneWithInverse = Damage(
    "dangling-to-one-with-inverse", "TodoEntity/p5.location leads to a place that is not there",
    sql: "UPDATE ZITEMENTITY SET ZLOCATION = 999 WHERE Z_PK = 5")
  /// A to-one relationship leads to an object of an entity outside of the destination's tree.
  package static let wrongDestinationEntity = Damage(
    "wrong-destination-entity", "TodoEntity/p2.parent leads to a note",
    sql: "UPDATE ZITEMENTITY SET ZPARENT = 6, Z4_PARENT = 3 WHERE Z_PK = 2")
  /// The entity number of a reference differs from its destination's.
  package static let entityColumnMismatch = Damage(
    "entity-column-mismatch", "the entity beside AttachmentEntity/p2.item is not that of the item",
    sql: "UPDATE ZATTACHMENTENTITY SET Z2_ITEM = 5 WHERE Z_PK = 2")
  /// The entity number of a reference is missing.
  package static let entityColumnMissing = Damage(
    "entity-column-missing", "AttachmentEntity/p2.item is set, but not the entity beside it",
    sql: "UPDATE ZATTACHMENTENTITY SET Z2_ITEM = NULL WHERE Z_PK = 2")
  /// There is an entity number without a reference.
  package static let entityColumnStray = Damage(
    "entity-column-stray", "TodoEntity/p1.parent is not set, but the entity beside it is",
    sql: "UPDATE ZITEMENTITY SET Z4_PARENT = 4 WHERE Z_PK = 1")
  /// Of a one-to-one relationship one side is not set.
  package static let oneToOneHalfSet = Damage(
    "one-to-one-half-set", "SettingsEntity/p1.person is set, but the person's settings are not",
    sql: "UPDATE ZPERSONENTITY SET ZSETTINGS = NULL WHERE Z_PK = 2")
  /// Two objects claim the same destination of a one-to-one relationship.
  package static let oneToOneMismatch = Damage(
    "one-to-one-mismatch", "PersonEntity/p3.settings leads to the settings of somebody else",
    sql: "UPDATE ZPERSONENTITY SET ZSETTINGS = 1 WHERE Z_PK = 3")
  /// A mandatory to-one relationship is not set, on neither side.
  package static let mandatoryToOneMissing = Damage(
    "mandatory-to-one-missing", "SettingsEntity/p1.person is mandatory, but not set",
    sql: """
      UPDATE ZSETTINGSENTITY SET ZPERSON = NULL WHERE Z_PK = 1;
      UPDATE ZPERSONENTITY SET ZSETTINGS = NULL WHERE Z_PK = 2
      """)
  /// A mandatory to-one relationship leads to an object that does not exist, and nothing leads back.
  package static let mandatoryToOneDangling = Damage(
    "mandatory-to-one-dangling",
    "SettingsEntity/p1.person is mandatory, but its person is not there",
    sql: """
      UPDATE ZSETTINGSENTITY SET ZPERSON = 999 WHERE Z_PK = 1;
      UPDATE ZPERSONENTITY SET ZSETTINGS = NULL WHERE Z_PK = 2
      """)
  /// A to-one relationship holds the key 0, which no object has.
  package static let zeroReference = Damage(
    "zero-reference", "NoteEntity/p6.author holds the key 0",
    sql: "UPDATE ZITEMENTITY SET ZAUTHOR = 0 WHERE Z_PK = 6")
  /// A to-one relationship holds a text.
  package static let invalidReference = Damage(
    "invalid-reference", "NoteEntity/p6.author holds a text",
    sql: "UPDATE ZITEMENTITY SET ZAUTHOR = 'nobody' WHERE Z_PK = 6")
  /// The entity number of a reference is a text.
  package static let entityColumnText = Damage(
    "entity-column-text", "the entity beside AttachmentEntity/p2.item is a text",
    sql: "UPDATE ZATTACHMENTENTITY SET Z2_ITEM = 'item' WHERE Z_PK = 2")
  /// Two objects claim the same destination of a one-to-one relationship, which has no destination itself.
  package static let oneToOneShared = Damage(
    "one-to-one-shared", "two persons have the settings 1, which belong to nobody",
    sql: """
      UPDATE ZSETTINGSENTITY SET ZPERSON = NULL WHERE Z_PK = 1;
      UPDATE ZPERSONENTITY SET ZSETTINGS = 1 WHERE Z_PK = 3
      """)

  static let references = [
    danglingToOne, danglingToOneWithInverse, zeroReference, invalidReference,
    wrongDestinationEntity, entityColumnMismatch, entityColumnMissing, entityColumnText,
    entityColumnStray, oneToOneHalfSet, oneToOneMismatch, oneToOneShared, mandatoryToOneMissing,
    mandatoryToOneDangling,
  ]

  /// A pair of a many-to-many relationship has a destination that is not there.
  package static let danglingPair = Damage(
    "dangling-pair", "a pair of TodoEntity.tags has a tag that is not there",
    sql: "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, 999)")
  /// A pair of a self-inverse relationship has a destination that is not there.
  package static let danglingReflexivePair = Damage(
    "dangling-reflexive-pair", "a pair of PersonEntity.friends has a person that is not there",
    sql: "INSERT INTO Z_7FRIENDS (Z_7FRIENDS, REFLEXIVE) VALUES (6, 999)")
  /// A pair of a many-to-many relationship has an object of another entity.
  package static let wrongPairEntity = Damage(
    "wrong-pair-entity", "a pair of TodoEntity.tags has a note in the place of the to-do",
    sql: "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (9, 1)")
  /// A pair of a many-to-many relationship lacks one side.
  package static let pairWithoutDestination = Damage(
    "pair-without-destination", "a pair of TodoEntity.tags has no tag",
    sql: "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, NULL)")

  /// A pair of a many-to-many relationship lacks the object that the relationship belongs to.
  package static let pairWithoutSource = Damage(
    "pair-without-source", "a pair of TodoEntity.tags has no to-do",
    sql: "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (NULL, 1)")
  /// A pair of a many-to-many relationship has a destination of another entity.
  package static let wrongPairDestination = Damage(
    "wrong-pair-destination", "a pair of NoteEntity.backlinks leads to a to-do",
    sql: "INSERT INTO Z_3BACKLINKS (Z_3LINKS, Z_3BACKLINKS, Z_FOK_3LINKS) VALUES (7, 1, 4096)")

  static let pairs = [
    danglingPair, danglingReflexivePair, wrongPairEntity, wrongPairDestination,
    pairWithoutDestination, pairWithoutSource,
  ]

  /// Two destinations of an ordered one-to-many relationship have the same order key.
  package static let duplicateOrderKey = Damage(
    "duplicate-order-key", "two attachments of TodoEntity/p1 have the same place",
    sql: "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 2048 WHERE Z_PK = 4")
  /// A destination of an ordered one-to-many relationship has no order key.
  package static let missingOrderKey = Damage(
    "missing-order-key", "an attachment of TodoEntity/p1 has no place in the order",
    sql: "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = NULL WHERE Z_PK = 4")
  /// Two destinations of an ordered many-to-many relationship have the same order key.
  package static let duplicatePairOrderKey = Damage(
    "duplicate-pair-order-key", "two links of NoteEntity/p6 have the same place",
    sql: "UPDATE Z_3BACKLINKS SET Z_FOK_3LINKS = 2048 WHERE Z_3BACKLINKS = 6")
  /// A destination of an ordered many-to-many relationship has no order key.
  package static let missingPairOrderKey = Damage(
    "missing-pair-order-key", "a link of NoteEntity/p7 has no place in the order",
    sql: "UPDATE Z_3BACKLINKS SET Z_FOK_3LINKS = NULL WHERE Z_3BACKLINKS = 7")
  /// A destination of a to-many relationship without inverse leads to an owner that is not there.
  package static let danglingOwner = Damage(
    "dangling-owner", "VisitEntity/p4 belongs to a location that is not there",
    sql: "UPDATE ZVISITENTITY SET Z6VISITS = 999 WHERE Z_PK = 4")
  /// A position is a text.
  package static let invalidOrderKey = Damage(
    "invalid-order-key", "the place of an attachment of TodoEntity/p1 is a text",
    sql: "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 'first' WHERE Z_PK = 4")
  /// A position in a many-to-many relationship is a text.
  package static let invalidPairOrderKey = Damage(
    "invalid-pair-order-key", "the place of a link of NoteEntity/p7 is a text",
    sql: "UPDATE Z_3BACKLINKS SET Z_FOK_3LINKS = 'first' WHERE Z_3BACKLINKS = 7")
  /// An object that belongs to no list has a position.
  package static let surplusOrderKey = Damage(
    "surplus-order-key", "AttachmentEntity/p5 has a place, but belongs to no item",
    sql: "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 4096 WHERE Z_PK = 5")
  /// An object has a position in a relationship without inverse that it does not belong to.
  package static let surplusOwnerOrderKey = Damage(
    "surplus-owner-order-key", "VisitEntity/p4 has a place, but belongs to no location",
    sql: "UPDATE ZVISITENTITY SET Z6VISITS = NULL WHERE Z_PK = 4")
  /// Two destinations of an ordered to-many relationship without inverse have the same order key.
  package static let duplicateOwnerOrderKey = Damage(
    "duplicate-owner-order-key", "two visits of LocationEntity/p1 have the same place",
    sql: "UPDATE ZVISITENTITY SET Z_FOK_6VISITS = 1024 WHERE Z_PK = 2")
  /// A pair that is ordered in both directions has no order key in one of them.
  package static let missingInverseOrderKey = Damage(
    "missing-inverse-order-key", "TodoEntity/p2 has no place among the assignments of a person",
    sql: """
      UPDATE Z_4ASSIGNEES SET Z_FOK_4ASSIGNMENTS = NULL
      WHERE Z_4ASSIGNMENTS = 2 AND Z_7ASSIGNEES = 1
      """)

  static let orderKeys = [
    duplicateOrderKey, missingOrderKey, invalidOrderKey, surplusOrderKey, duplicatePairOrderKey,
    missingPairOrderKey, invalidPairOrderKey, missingInverseOrderKey, duplicateOwnerOrderKey,
    surplusOwnerOrderKey, danglingOwner,
  ]
}
