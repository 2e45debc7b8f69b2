/// The codes of findings about values that are computed from others.
extension FindingCode {
  /// The value of the derived attribute is not the result of its expression.
  public static let derivedValueMismatch = FindingCode(
    text: "derived-value-mismatch", severity: .error, check: .derived,
    meaning: "the value of the derived attribute is not the result of its expression",
    cause: """
      The store computes derived attributes with triggers when Core Data saves. SQL changed the \
      values that the attribute depends on while the triggers were missing or disabled, SQL wrote \
      the value itself, or the file is damaged. Two kinds of expressions are checked: a key path \
      over a to-one relationship, and the count of a to-many relationship that is not its own \
      inverse.
      """,
    effect: """
      The app shows and fetches by the wrong value. A wrong count stays wrong, because the store \
      only adds to it and subtracts from it. A wrong copy is corrected when its original changes.
      """,
    remedy: """
      For a copy, change the original value and save. For a count, remove the destinations and add \
      them again, or set it to the number of destinations with SQL.
      """,
    fix: .lossless("Compute the value again.").automatic)
  /// The derived attribute has no value although its expression has one.
  public static let derivedValueMissing = FindingCode(
    text: "derived-value-missing", severity: .warning, check: .derived,
    meaning: "the derived attribute has no value although its expression has one",
    cause: """
      A migration added the attribute, or something other than Core Data inserted the object, and \
      the object was not saved since. The store computes the value only when something that it \
      depends on is saved.
      """,
    effect: """
      The app reads no value, or 0 for a number, and a fetch by the value does not find the \
      object.
      """,
    remedy: """
      Save a change to a value that the attribute depends on. For a count, save a change to the \
      relationship of one of the destinations.
      """,
    fix: .lossless("Compute the value.").automatic)
  /// The spatial index does not match the object.
  public static let spatialIndexMismatch = FindingCode(
    text: "spatial-index-mismatch", severity: .error, check: .spatialIndex,
    meaning: "the spatial index does not match the object",
    cause: """
      Triggers maintain the index. The object was changed while they were missing or by a program \
      without SQLite's R-tree module, the index is from another state than the objects, or the \
      file is damaged.
      """,
    effect: """
      A fetch by area misses the object, finds it in the wrong place, or finds an object that does \
      not exist. Deleting and inserting work.
      """,
    remedy: """
      Save a change to the object's coordinates to write the index entry again. Remove an entry \
      without an object with SQL.
      """,
    fix: .lossless("Write the entry again, or remove it if there is no such object.").automatic)

  static let derivedCodes: [FindingCode] = [
    .derivedValueMismatch, .derivedValueMissing, .spatialIndexMismatch,
  ]
}
