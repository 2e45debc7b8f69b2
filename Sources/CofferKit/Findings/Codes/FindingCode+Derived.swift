/// The codes of findings about what is computed from other values.
extension FindingCode {
  /// The value of the derived attribute is not what its expression gives.
  public static let derivedValueMismatch = FindingCode(
    text: "derived-value-mismatch", severity: .error, check: .derived,
    meaning: "the value of the derived attribute is not what its expression gives",
    cause: """
      The store computes derived attributes by triggers when Core Data saves. The values that they \
      depend on were changed by SQL with the triggers missing or disabled, or the value itself was \
      written by SQL, or the file is damaged. Two kinds of expressions are looked at: a key path \
      over a to-one relationship, and the count of a to-many relationship that is not its own \
      inverse. All others are left alone.
      """,
    effect: """
      The app shows and fetches by the wrong value. A count stays wrong for good, because the store \
      only adds to it and takes from it; a copy is put right when its original changes.
      """,
    remedy: """
      Change the value that it is computed from and save, for a copy. For a count, remove the \
      destinations and add them again, or set it by SQL to the number of destinations.
      """)
  /// The derived attribute has no value, although its expression gives one.
  public static let derivedValueMissing = FindingCode(
    text: "derived-value-missing", severity: .warning, check: .derived,
    meaning: "the derived attribute has no value, although its expression gives one",
    cause: """
      The attribute was added by a migration, or the object was inserted by something other than \
      Core Data, and the object was not saved since: the store computes the value only when \
      something that it depends on is saved.
      """,
    effect: """
      The app reads no value, or 0 where it expects a number, and a fetch by the value does not \
      find the object.
      """,
    remedy: """
      Save a change to what the value is computed from; of a count, to one of the destinations' \
      relationships.
      """)
  /// The spatial index does not agree with the object.
  public static let spatialIndexMismatch = FindingCode(
    text: "spatial-index-mismatch", severity: .error, check: .spatialIndex,
    meaning: "the spatial index does not agree with the object",
    cause: """
      The index is kept by triggers. The object was changed with the triggers missing or by a \
      program without SQLite's R-tree module, or the index was restored from another state than the \
      objects, or the file is damaged.
      """,
    effect: """
      A fetch by area does not find the object, finds it where it is not, or finds an object that \
      is not there. Deleting and inserting work.
      """,
    remedy: """
      Save a change to the object's coordinates: the entry is written anew. Remove an entry without \
      an object by SQL.
      """)

  static let derivedCodes: [FindingCode] = [
    .derivedValueMismatch, .derivedValueMissing, .spatialIndexMismatch,
  ]
}
