/// The codes of findings about the counters of primary keys.
extension FindingCode {
  /// The counter of primary keys is lower than the highest key.
  public static let primaryKeyCounterBehind = FindingCode(
    text: "primary-key-counter-behind", severity: .error, check: .counters,
    meaning: "the counter of primary keys is lower than the highest key",
    cause:
      "A store file that was copied while in use, or without its `-wal`; tools that insert "
      + "rows and forget the counter.",
    effect:
      "The app's next save gives out a key that is in use: it fails, or replaces the object that "
      + "has the key.",
    remedy:
      "Do not save into the store as it is. Export it and import the archive: an import "
      + "raises the counter and changes nothing else.")
  /// The counter of primary keys is neither 0 nor a positive integer.
  public static let primaryKeyCounterInvalid = FindingCode(
    text: "invalid-primary-key-counter", severity: .error, check: .counters,
    meaning: "the counter of primary keys is neither 0 nor a positive integer",
    cause: "SQL; a tool that writes stores; damage.",
    effect: "The app may begin again with the key 1, and then fails to save or replaces objects.",
    remedy:
      "Export the store and import the archive: an import sets the counter where objects have "
      + "higher keys. Or set it to the highest key of the table by SQL.")
  /// A counter of primary keys is set at a sub-entity, where none is kept.
  public static let primaryKeyCounterOnSubentity = FindingCode(
    text: "primary-key-counter-on-subentity", severity: .warning, check: .counters,
    meaning: "a counter of primary keys is set at a sub-entity, where none is kept",
    cause: "A tool that writes stores and counts each entity for itself.",
    effect: "The app reads the counter of the root entity and no other.",
    remedy: "Nothing, if the counter of the root entity is sound. Tell the maker of the tool.")
  /// The counter of primary keys lagged behind the objects and was raised.
  public static let primaryKeyCounterRaised = FindingCode(
    text: "primary-key-counter-raised", severity: .info, check: .counters,
    meaning: "the counter of primary keys lagged behind the objects and was raised",
    cause:
      "A store file that was copied while in use; tools that insert rows and forget the "
      + "counter. An import raises the counter; the rest of the store is as it was.",
    effect:
      "With the old counter, its next save would have failed or replaced an object. With the "
      + "raised one all is well.",
    remedy:
      "Nothing. The source, if it is still used, has the problem still: let the restored "
      + "store take its place.")

  static let countersCodes: [FindingCode] = [
    .primaryKeyCounterBehind, .primaryKeyCounterInvalid, .primaryKeyCounterOnSubentity,
    .primaryKeyCounterRaised,
  ]
}
