/// The codes of findings about the counters of primary keys.
extension FindingCode {
  /// The counter of primary keys is lower than the highest key.
  public static let primaryKeyCounterBehind = FindingCode(
    text: "primary-key-counter-behind", severity: .error, check: .counters,
    meaning: "the primary key counter is lower than the highest key",
    cause: """
      The store file was copied while in use or without its `-wal`, or a tool inserted rows \
      without updating the counter.
      """,
    effect: """
      The app's next save assigns a key that is already in use. The save fails, or replaces the \
      object that has the key.
      """,
    remedy: """
      Do not save to the store in this state. Export it and import the archive: an import raises \
      the counter and changes nothing else.
      """,
    fix: .lossless("Set the counter to the highest key of the table.").automatic)
  /// The counter of primary keys is neither 0 nor a positive integer.
  public static let primaryKeyCounterInvalid = FindingCode(
    text: "invalid-primary-key-counter", severity: .error, check: .counters,
    meaning: "the primary key counter is neither 0 nor a positive integer",
    cause: "SQL, a tool that writes stores, or damage.",
    effect: "The app may start again with the key 1 and then fail to save, or replace objects.",
    remedy: """
      Export the store and import the archive: an import sets the counter if objects have higher \
      keys. Or set it to the highest key of the table with SQL.
      """,
    fix: .lossless("Set the counter to the highest key of the table.").automatic)
  /// A subentity has a counter of primary keys.
  public static let primaryKeyCounterOnSubentity = FindingCode(
    text: "primary-key-counter-on-subentity", severity: .warning, check: .counters,
    meaning: "a subentity has a primary key counter",
    cause: "A tool that writes stores and counts each entity separately.",
    effect: "None: the app reads only the counter of the root entity.",
    remedy: "Nothing, if the counter of the root entity is right. Tell the author of the tool.",
    fix: .lossless("Set the counter to 0.").automatic)
  /// The counter of primary keys was lower than the highest key and was raised.
  public static let primaryKeyCounterRaised = FindingCode(
    text: "primary-key-counter-raised", severity: .info, check: .counters,
    meaning: "the primary key counter was lower than the highest key and was raised",
    cause: """
      The store file was copied while in use, or a tool inserted rows without updating the \
      counter. The import raised the counter and changed nothing else.
      """,
    effect:
      "None. With the old counter, the app's next save would have failed or replaced an object.",
    remedy: """
      Nothing for the restored store. If the source is still in use, it still has the problem: \
      replace it with the restored store.
      """,
    fix: .none("The import has fixed it. There is nothing to decide."))

  static let countersCodes: [FindingCode] = [
    .primaryKeyCounterBehind, .primaryKeyCounterInvalid, .primaryKeyCounterOnSubentity,
    .primaryKeyCounterRaised,
  ]
}
