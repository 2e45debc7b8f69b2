/// The codes of findings about the identity of objects.
extension FindingCode {
  /// The primary key is not a positive number.
  public static let invalidPrimaryKey = FindingCode(
    text: "invalid-primary-key", severity: .error, check: .entities,
    meaning: "the primary key is not a positive number",
    cause: "SQL that wrote the key, a tool that numbers rows itself, or damage.",
    effect: """
      Core Data assigns keys from 1 on, so it may not find the object again, and references to it \
      are dangling.
      """,
    remedy: """
      If the object matters, restore an older backup. Otherwise delete its row, and check the \
      objects that referred to it.
      """,
    fix: .lossy("Delete the row with SQL, and unset references to it in the app."))
  /// The object does not say which entity it belongs to.
  public static let missingEntityNumber = FindingCode(
    text: "missing-entity-number", severity: .error, check: .entities,
    meaning: "the object does not say which entity it belongs to",
    cause: "SQL that inserted or changed rows without an entity number, or damage.",
    effect: """
      No fetch finds the object, because every fetch asks for the numbers of its entities. If the \
      app follows a reference to it, it fails with "could not fulfill a fault".
      """,
    remedy: """
      Compare with an older backup to find the entity, and restore the backup if the object matters.
      """,
    fix: .none("Decide which entity the object belongs to; an older backup shows it."),
    tool: .comparison)
  /// The object belongs to an unknown entity.
  public static let unknownEntity = FindingCode(
    text: "unknown-entity", severity: .error, check: .entities,
    meaning: "the object belongs to an unknown entity",
    cause: """
      An interrupted migration, SQL, a tool that numbers entities differently, or rows of a newer \
      model in an older store.
      """,
    effect: "No fetch finds the object, and the app fails when it follows a relationship to it.",
    remedy: "Find the model that the row was written with, or restore an older backup.",
    fix: .none("Decide which entity the object belongs to; the model that wrote it shows it."))
  /// The object belongs to an entity of another table.
  public static let foreignEntity = FindingCode(
    text: "foreign-entity", severity: .error, check: .entities,
    meaning: "the object belongs to an entity of another table",
    cause: "A tool that renumbered the entities but not all rows, SQL, or damage.",
    effect: """
      No fetch finds the object in this table. References to it give the app an object of an \
      unexpected class, or none.
      """,
    remedy: """
      Restore an older backup. If a whole table is affected, a migration or a tool probably went \
      wrong: go back to before it.
      """,
    fix: .none("Decide which entity the object belongs to; an older backup shows it."))
  /// The object belongs to an abstract entity, which cannot have objects.
  public static let abstractEntity = FindingCode(
    text: "abstract-entity", severity: .error, check: .entities,
    meaning: "the object belongs to an abstract entity, which cannot have objects",
    cause: "SQL, or an entity that was made abstract in a newer model without moving its objects.",
    effect: """
      The app gets an object of a class that was never meant to have any, and may crash when it \
      uses it.
      """,
    remedy: """
      Restore an older backup, or open the store with the model in which the entity was not \
      abstract, and delete or replace the object there.
      """,
    fix: .none("Decide which entity the object should belong to; nothing in the store shows it."))
  /// The version counter is missing, below 1, or not an integer.
  public static let invalidVersion = FindingCode(
    text: "invalid-version", severity: .error, check: .versions,
    meaning: "the version counter is missing, below 1, or not an integer",
    cause: """
      SQL that inserted or changed rows, a tool that writes stores without the counter, or damage.
      """,
    effect: """
      Core Data compares the counter when it saves, to notice changes by others. Saves fail with a \
      conflict that cannot be resolved, or overwrite what another process wrote.
      """,
    remedy: """
      Restore an older backup, or save the object again with a tool that maintains the counter. If \
      no one else has the store open, setting the counter to 1 is enough.
      """,
    fix: .derived(
      """
      Set the counter to 1, or to the number that follows from the updates in the persistent history.
      """
    ).automatic)
  /// The version counter is lower than the number of updates in the persistent history.
  public static let versionBehindHistory = FindingCode(
    text: "version-behind-history", severity: .info, check: .versions,
    meaning: "the version counter is lower than the number of updates in the persistent history",
    cause: """
      The history recorded updates that did not raise the counter: one in nine healthy Photos \
      libraries has a few such objects. Rarely, a row was restored from an older copy, or SQL \
      decreased the counter.
      """,
    effect: """
      The app copes. If two processes use the store, one of them may take an older state for the \
      newer one.
      """,
    remedy: """
      Nothing, if there are few. If there are many, part of the store is older than its history: \
      find out what restored the rows.
      """,
    fix: .derived("Set the counter to the number that the updates in the history give.").automatic)
  /// The object exists although the persistent history records its deletion.
  public static let deletedObjectPresent = FindingCode(
    text: "deleted-object-present", severity: .error, check: .versions,
    meaning: "the object exists although the persistent history records its deletion",
    cause: """
      A table was restored from an older copy without the history, SQL, or a deletion that was \
      recorded but not carried out.
      """,
    effect: """
      The app shows a deleted object again, while readers of the history (widgets, extensions, a \
      sync service) consider it gone.
      """,
    remedy: """
      If the object should be gone, delete it in the app. If the table was restored by hand, \
      restore the whole store with its history instead.
      """,
    fix: .none("Decide whether to delete the object in the app."))
  /// Rows of the persistent history have version counters, which Core Data leaves empty.
  public static let historyVersionSet = FindingCode(
    text: "history-version-set", severity: .info, check: .versions,
    meaning: "rows of the persistent history have version counters, which Core Data leaves empty",
    cause: "A tool that wrote the history, or perhaps a newer system.",
    effect: "None: the app ignores these counters.",
    remedy: "Nothing.",
    fix: .none("Nothing is wrong."))

  static let objectsCodes: [FindingCode] = [
    .invalidPrimaryKey, .missingEntityNumber, .unknownEntity, .foreignEntity, .abstractEntity,
    .invalidVersion, .versionBehindHistory, .deletedObjectPresent, .historyVersionSet,
  ]
}
