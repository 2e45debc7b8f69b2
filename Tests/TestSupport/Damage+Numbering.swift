extension Damage {
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
  /// An entity is named that the model does not have.
  package static let surplusPrimaryKeyRow = Damage(
    "surplus-primary-key-row", "Z_PRIMARYKEY names an entity that the model does not have",
    sql: "INSERT INTO Z_PRIMARYKEY VALUES (11, 'WeatherEntity', 0, 0)")
  /// An entity is named as in an older model, as a migration leaves it.
  package static let olderPrimaryKeyName = Damage(
    "older-primary-key-name", "Z_PRIMARYKEY has the older name of NoteEntity",
    sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'MemoEntity' WHERE Z_NAME = 'NoteEntity'")
  /// An entity has a number far behind the others.
  package static let strangeEntityNumber = Damage(
    "strange-entity-number", "VisitEntity has the number 50 instead of 10",
    sql: """
      UPDATE Z_PRIMARYKEY SET Z_ENT = 50 WHERE Z_ENT = 10;
      UPDATE ZVISITENTITY SET Z_ENT = 50;
      UPDATE ACHANGE SET ZENTITY = 50 WHERE ZENTITY = 10
      """)
  /// Two entities have each other's numbers.
  package static let swappedEntityNumbers = Damage(
    "swapped-entity-numbers", "SettingsEntity and VisitEntity have each other's numbers",
    sql: """
      UPDATE Z_PRIMARYKEY SET Z_ENT = 50 WHERE Z_ENT = 10;
      UPDATE Z_PRIMARYKEY SET Z_ENT = 10 WHERE Z_ENT = 8;
      UPDATE Z_PRIMARYKEY SET Z_ENT = 8 WHERE Z_ENT = 50;
      UPDATE ZVISITENTITY SET Z_ENT = 8;
      UPDATE ZSETTINGSENTITY SET Z_ENT = 10;
      UPDATE ACHANGE SET ZENTITY = CASE ZENTITY WHEN 8 THEN 10 ELSE 8 END WHERE ZENTITY IN (8, 10)
      """)
  /// An entity stands below another one than in the model.
  package static let wrongSuperentityNumber = Damage(
    "wrong-superentity-number", "RecurringTodoEntity stands below ItemEntity in Z_PRIMARYKEY",
    sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_NAME = 'RecurringTodoEntity'")

  static let numbering = [
    missingPrimaryKeyTable, missingPrimaryKeyRow, unknownPrimaryKeyName, surplusPrimaryKeyRow,
    olderPrimaryKeyName, strangeEntityNumber, swappedEntityNumbers, wrongSuperentityNumber,
  ]

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
  /// The copy of the model is truncated.
  package static let cutModelCache = Damage(
    "cut-model-cache", "the copy of the model is cut off",
    sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)")

  /// There are two copies of the model.
  package static let surplusModelCache = Damage(
    "surplus-model-cache", "Z_MODELCACHE has two rows",
    sql: "INSERT INTO Z_MODELCACHE SELECT * FROM Z_MODELCACHE")

  static let modelCache = [
    missingModelCache, missingModelCacheTable, garbageModelCache, cutModelCache, surplusModelCache,
  ]
}
