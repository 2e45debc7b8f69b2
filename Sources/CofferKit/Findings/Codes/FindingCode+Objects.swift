/// The codes of findings about what identifies an object.
extension FindingCode {
  /// The primary key is not a positive number.
  public static let invalidPrimaryKey = FindingCode(
    text: "invalid-primary-key", severity: .error, check: .entities,
    meaning: "the primary key is not a positive number",
    cause: "SQL that wrote the key by hand; a tool that numbers its rows itself; damage.",
    effect:
      "Core Data hands out keys from 1 on: it may not find the object again, and what refers "
      + "to it leads nowhere.",
    remedy:
      "Restore an older backup if the object matters. Otherwise delete its row, and look at "
      + "what referred to it.")
  /// The object does not say of which entity it is.
  public static let missingEntityNumber = FindingCode(
    text: "missing-entity-number", severity: .error, check: .entities,
    meaning: "the object does not say of which entity it is",
    cause: "SQL that inserted or changed rows without the number of their entity; damage.",
    effect:
      "No fetch finds the object: every fetch asks for the numbers of its entities. What "
      + "refers to it leads to an object that cannot be made, and the app fails with \"could "
      + "not fulfill a fault\".",
    remedy:
      "Compare with an older backup (`coffer diff OLD NEW`), which knows the entity, and "
      + "restore it if the object matters.")
  /// The object is of an entity that nothing explains.
  public static let unknownEntity = FindingCode(
    text: "unknown-entity", severity: .error, check: .entities,
    meaning: "the object is of an entity that nothing explains",
    cause:
      "A migration that was cut off; SQL; a tool that numbers entities in another way; rows "
      + "of a newer model in an older store.",
    effect: "No fetch finds the object, and the app fails where a relationship leads to it.",
    remedy: "Find the model that the row was written with, or restore an older backup.")
  /// The object is of an entity whose objects belong into another table.
  public static let foreignEntity = FindingCode(
    text: "foreign-entity", severity: .error, check: .entities,
    meaning: "the object is of an entity whose objects belong into another table",
    cause: "A tool that renumbered the entities and left rows out; SQL; damage.",
    effect:
      "No fetch finds the object in this table, and what refers to it gets an object of a "
      + "class that it does not expect, or none.",
    remedy:
      "Restore an older backup. A whole table of such objects speaks for a migration or a "
      + "tool that went wrong: go back to before it.")
  /// The object is of an abstract entity, which can have none.
  public static let abstractEntity = FindingCode(
    text: "abstract-entity", severity: .error, check: .entities,
    meaning: "the object is of an abstract entity, which can have none",
    cause: "SQL; an entity that was made abstract in a newer model without moving its objects.",
    effect:
      "The app gets an object of a class that was never meant to have any, and may crash when "
      + "it asks it for something.",
    remedy:
      "Restore an older backup, or open the store with the model in which the entity was not "
      + "abstract, and delete or replace the object there.")
  /// The version counter is missing, below 1, or not an integer.
  public static let invalidVersion = FindingCode(
    text: "invalid-version", severity: .error, check: .versions,
    meaning: "the version counter is missing, below 1, or not an integer",
    cause:
      "Rows that were inserted or changed by SQL; tools that write stores and leave the "
      + "counter out; damage.",
    effect:
      "Core Data compares the counter when it saves, to notice that somebody else changed the "
      + "object: saves fail with a conflict that cannot be resolved, or overwrite what another "
      + "process wrote.",
    remedy:
      "Restore an older backup, or save the object anew with a tool that keeps the counter. "
      + "Where nobody else has the store open, setting the counter to 1 is enough.")
  /// The version counter is lower than the updates that the persistent history records.
  public static let versionBehindHistory = FindingCode(
    text: "version-behind-history", severity: .warning, check: .versions,
    meaning: "the version counter is lower than the updates that the persistent history records",
    cause:
      "A row that was put back from an older copy, or counted back by SQL; Photos has a few "
      + "such objects.",
    effect:
      "The app copes. Where two processes use the store, one of them may take an older state for "
      + "the newer one.",
    remedy:
      "Nothing, if they are few. If they are many, part of the store is older than its "
      + "history: find out what wrote the rows back.")
  /// The object is there although the persistent history records its deletion.
  public static let deletedObjectPresent = FindingCode(
    text: "deleted-object-present", severity: .error, check: .versions,
    meaning: "the object is there although the persistent history records its deletion",
    cause:
      "A table that was put back from an older copy without the history; SQL; a deletion that "
      + "was recorded and not done.",
    effect:
      "The app shows an object again that was deleted, and whatever follows the history (widgets, "
      + "extensions, a sync service) believes that it is gone.",
    remedy:
      "Delete the object in the app if it should be gone. If the table was restored by hand, "
      + "restore the whole store instead, with its history.")
  /// Rows of the persistent history have version counters, which Core Data leaves empty.
  public static let historyVersionSet = FindingCode(
    text: "history-version-set", severity: .info, check: .versions,
    meaning: "rows of the persistent history have version counters, which Core Data leaves empty",
    cause: "A tool that wrote the history; perhaps a newer system.",
    effect: "The app does not look at these counters.",
    remedy: "Nothing.")

  static let objectsCodes: [FindingCode] = [
    .invalidPrimaryKey, .missingEntityNumber, .unknownEntity, .foreignEntity, .abstractEntity,
    .invalidVersion, .versionBehindHistory, .deletedObjectPresent, .historyVersionSet,
  ]
}
