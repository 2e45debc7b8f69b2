/// The codes of findings about the rules of the model.
extension FindingCode {
  /// A required attribute has no value.
  public static let missingValue = FindingCode(
    text: "missing-value", severity: .error, check: .required,
    meaning: "a required attribute has no value",
    cause: """
      Something other than Core Data, which refuses to save such an object, wrote or changed the \
      row, or the attribute became required without a migration.
      """,
    effect: """
      The app gets nil for a value that its code takes for granted: Swift code with a non-optional \
      property crashes or shows an arbitrary value, and saving any change to the object fails.
      """,
    remedy: "Set the value in the app if possible, or look for it in an older backup.",
    fix: .none("Decide which value the object gets; nothing in the store shows it."),
    tool: .decision)
  /// A required attribute has no value, but the model has a default for it.
  public static let missingValueWithDefault = FindingCode(
    text: "missing-value-with-default", severity: .info, check: .required,
    meaning: "a required attribute has no value, but the model has a default for it",
    cause: "An in-place migration added the attribute and left it empty in existing rows.",
    effect: "The app copes, as Photos does with such rows: it sees the default, or 0 for a number.",
    remedy: "Nothing, unless the app shows a wrong value.",
    fix: .derived("Set the default of the model.").automatic)
  /// A required relationship has no destination.
  public static let missingDestination = FindingCode(
    text: "missing-destination", severity: .error, check: .required,
    meaning: "a required relationship has no destination",
    cause: """
      The destination was deleted with SQL or by a batch deletion, or something other than Core \
      Data, which refuses to save such an object, wrote the row.
      """,
    effect: """
      The app gets nil where its code expects an object, and may crash. Saving any change to the \
      object fails.
      """,
    remedy: """
      Set the relationship in the app, delete the object if it is useless on its own, or restore \
      an older backup.
      """,
    fix: .none("Decide where the relationship should lead, or delete the object in the app."))
  /// The relationship leads to fewer objects than the model requires.
  public static let tooFewDestinations = FindingCode(
    text: "too-few-destinations", severity: .error, check: .cardinality,
    meaning: "the relationship leads to fewer objects than the model requires",
    cause: """
      SQL or a batch deletion removed objects, batch insertions created objects without their \
      relationships, or the model became stricter without a suitable migration. An optional \
      relationship may be empty, whatever its minimum is.
      """,
    effect: "The app cannot save a change to the object: the validation fails.",
    remedy: """
      Add the missing objects in the app before the next change to the object, or look in older \
      backups for what was removed.
      """,
    fix: .none("Decide which objects are missing, and add them in the app."))
  /// The relationship leads to more objects than the model allows.
  public static let tooManyDestinations = FindingCode(
    text: "too-many-destinations", severity: .error, check: .cardinality,
    meaning: "the relationship leads to more objects than the model allows",
    cause: """
      SQL or batch operations, which check nothing, added objects, or the model became stricter \
      without a suitable migration.
      """,
    effect: "The app cannot save a change to the object: the validation fails.",
    remedy: "Remove some of the objects from the relationship in the app.",
    fix: .none("Decide which objects to remove from the relationship in the app."))
  /// Two objects have the same values for a uniqueness constraint.
  public static let duplicateUniqueValue = FindingCode(
    text: "duplicate-unique-value", severity: .error, check: .uniqueness,
    meaning: "two objects have the same values for a uniqueness constraint",
    cause: """
      The unique index is missing or was bypassed: by SQL, a tool that merges stores, or damage to \
      the index.
      """,
    effect: """
      The app finds either of the two objects, not always the same one, and the next save that \
      touches them fails or merges them.
      """,
    remedy:
      "Decide which of the two objects is right, and delete the other in the app, or merge them.",
    fix: .lossy("Keep one of the objects, and let references to the others lead to it."),
    tool: .deduplication)
  /// The value does not have the attribute's type.
  public static let wrongStorageClass = FindingCode(
    text: "wrong-storage-class", severity: .error, check: .values,
    meaning: "the value does not have the attribute's type",
    cause: """
      Something other than Core Data wrote the value, or the attribute's type was changed without \
      a migration.
      """,
    effect: """
      The app gets the value as SQLite converts it, such as 0 or an empty string, or crashes when \
      it reads the object.
      """,
    remedy: "Set the value again in the app, or look for it in an older backup.",
    fix: otherValue)
  /// SQLite converts the value when it is inserted.
  public static let convertedValue = FindingCode(
    text: "converted-value", severity: .error, check: .values,
    meaning: "SQLite converts the value when it is inserted",
    cause: """
      The type of the column in the schema does not fit the value: the bytes of the store are \
      damaged, or something changed the schema without the rows.
      """,
    effect: """
      Only the archive contains the value exactly. A restored store contains it as SQLite \
      converts it, such as the number 12.5 for the text 12.50.
      """,
    remedy: "Set the value again in the app, then back up the store again.",
    fix: .none("Decide which value it gets: 'coffer verify' reports it as wrong-storage-class."))
  /// The number does not fit the attribute's type.
  public static let integerOutOfRange = FindingCode(
    text: "integer-out-of-range", severity: .error, check: .values,
    meaning: "the number does not fit the attribute's type",
    cause: """
      Something other than Core Data wrote the value, or the attribute's type was made smaller \
      without a migration.
      """,
    effect: "The app gets the number without its upper bits, which is a different number.",
    remedy:
      "Set the value again in the app, or choose a larger type in a new version of the model.",
    fix: otherValue)
  /// The date is infinite.
  public static let infiniteDate = FindingCode(
    text: "infinite-date", severity: .error, check: .values,
    meaning: "the date is infinite",
    cause: """
      The app computed the date from a number that it had divided by zero, or something other than \
      Core Data wrote the value.
      """,
    effect: """
      The app gets a date that no calendar has: it sorts before or after all others, and \
      formatters and calendars return nothing or crash.
      """,
    remedy: "Set the date again in the app, or look for it in an older backup.",
    fix: otherValue)
  /// The value of the Boolean attribute is neither 0 nor 1.
  public static let invalidBoolean = FindingCode(
    text: "invalid-boolean", severity: .error, check: .values,
    meaning: "the value of the Boolean attribute is neither 0 nor 1",
    cause: """
      Something other than Core Data wrote the value, or the attribute was a number and became a \
      Boolean without a migration.
      """,
    effect: "The app takes the value for true, but a fetch for true does not find the object.",
    remedy: "Set the value again in the app.",
    fix: .lossy("Set the value to true, as the app reads it.").automatic)
  /// The value of the UUID attribute does not have 16 bytes.
  public static let invalidUUID = FindingCode(
    text: "invalid-uuid", severity: .error, check: .values,
    meaning: "the value of the UUID attribute does not have 16 bytes",
    cause: "Something other than Core Data wrote the value, often as text.",
    effect: """
      The app gets nil or another UUID, does not find the object by its UUID, or crashes when it \
      reads it.
      """,
    remedy: "Look for the UUID in an older backup, or give the object a new one in the app.",
    fix: otherValue)
  /// The text is not valid UTF-8.
  public static let invalidText = FindingCode(
    text: "invalid-text", severity: .error, check: .values,
    meaning: "the text is not valid UTF-8",
    cause: """
      Something other than Core Data wrote the text in another encoding or cut it within a \
      character, or the file is damaged.
      """,
    effect:
      "The app gets nil or text with replacement characters, or crashes when it reads the object.",
    remedy: """
      Set the text again in the app, or look for it in an older backup. An archive keeps the bytes \
      unchanged.
      """,
    fix: .lossy("Replace invalid UTF-8 with the replacement character, as the app sees it.")
      .automatic)
  /// The value does not pass a validation of the model.
  public static let invalidValue = FindingCode(
    text: "invalid-value", severity: .warning, check: .validation,
    meaning: "the value does not pass a validation of the model",
    cause: """
      The validation is newer than the value: Core Data validates only when it saves an object. \
      Batch updates and SQL do not validate at all.
      """,
    effect:
      "The app uses the value, but saving any change to the object fails until the value passes.",
    remedy: "Set a value that passes in the app.",
    fix: .lossy(
      """
      Cut a text to the allowed length. Set another value to nil, or to the \
      default if it is required. Without a default, decide which value it gets.
      """
    ).automatic)
  /// A validation of the model cannot be evaluated here.
  public static let validationNotEvaluated = FindingCode(
    text: "validation-not-evaluated", severity: .info, check: .validation,
    meaning: "a validation of the model cannot be evaluated here",
    cause: """
      The validation is a regular expression, a function, or another form that only Core Data \
      evaluates.
      """,
    effect: "The app evaluates the validation when it saves an object.",
    remedy: "Nothing. Whether the values pass is unknown.",
    fix: .none("Nothing is known to be wrong."))

  private static let otherValue = FindingFix.lossy(
    """
    Set the value to nil, or to the default if it is required. Without a default, decide which \
    value it gets.
    """
  ).automatic

  static let rulesCodes: [FindingCode] = [
    .missingValue, .missingValueWithDefault, .missingDestination, .tooFewDestinations,
    .tooManyDestinations, .duplicateUniqueValue, .wrongStorageClass, .convertedValue,
    .integerOutOfRange, .infiniteDate, .invalidBoolean, .invalidUUID,
    .invalidText, .invalidValue, .validationNotEvaluated,
  ]
}
