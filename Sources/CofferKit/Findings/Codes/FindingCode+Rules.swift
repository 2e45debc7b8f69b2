/// The codes of findings about the rules of the model.
extension FindingCode {
  /// A required attribute has no value.
  public static let missingValue = FindingCode(
    text: "missing-value", severity: .error, check: .required,
    meaning: "a required attribute has no value",
    cause: """
      The row was written or changed by something other than Core Data, which refuses to save \
      such an object; or the attribute became required without a migration.
      """,
    effect: """
      The app gets nil for a value that its code takes for granted: Swift code that declares the \
      property without an optional crashes or shows an arbitrary value, and saving the object \
      after any change fails.
      """,
    remedy: "Set the value in the app where it lets you, or look for it in an older backup.")
  /// A required attribute has no value, and the model has a default for it.
  public static let missingValueWithDefault = FindingCode(
    text: "missing-value-with-default", severity: .info, check: .required,
    meaning: "a required attribute has no value, and the model has a default for it",
    cause: """
      An in-place migration added the attribute and left it empty in the rows that were there.
      """,
    effect: "The app copes, as Photos does with such rows: it sees the default, or 0 for a number.",
    remedy: "Do nothing, unless the app shows a wrong value.")
  /// A required relationship leads nowhere.
  public static let missingDestination = FindingCode(
    text: "missing-destination", severity: .error, check: .required,
    meaning: "a required relationship leads nowhere",
    cause: """
      The destination was deleted by SQL or by a batch deletion, or the row was written by \
      something other than Core Data, which refuses to save such an object.
      """,
    effect: """
      The app gets nil where its code expects an object and may crash; saving the object after any \
      change fails.
      """,
    remedy: """
      Set the relationship in the app, delete the object if it has no use by itself, or \
      restore an older backup.
      """)
  /// The relationship leads to fewer objects than the model asks for.
  public static let tooFewDestinations = FindingCode(
    text: "too-few-destinations", severity: .error, check: .cardinality,
    meaning: "the relationship leads to fewer objects than the model asks for",
    cause:
      "SQL or a batch deletion removed objects, batch insertions made objects without "
      + "their relationships, or the model became stricter without a migration that saw to "
      + "it. An optional relationship may be empty, whatever its minimum is.",
    effect: "It cannot save a change to the object: the validation fails.",
    remedy:
      "Add what is missing in the app before the next change to the object, or look in "
      + "older backups for what was removed.")
  /// The relationship leads to more objects than the model allows.
  public static let tooManyDestinations = FindingCode(
    text: "too-many-destinations", severity: .error, check: .cardinality,
    meaning: "the relationship leads to more objects than the model allows",
    cause:
      "SQL or batch operations, which check nothing, added objects; or the model became "
      + "stricter without a migration that saw to it.",
    effect: "It cannot save a change to the object: the validation fails.",
    remedy: "Remove some of the objects from the relationship in the app.")
  /// Two objects have the values that a uniqueness constraint allows once.
  public static let duplicateUniqueValue = FindingCode(
    text: "duplicate-unique-value", severity: .error, check: .uniqueness,
    meaning: "two objects have the values that a uniqueness constraint allows once",
    cause: """
      The unique index is missing or was bypassed, so that nothing kept a second object out: \
      SQL, a tool that merges stores, or a damaged index.
      """,
    effect: """
      The app finds either of the two objects, not always the same one, and the next save that \
      touches them fails or merges them.
      """,
    remedy: "Decide which of the two objects is right and delete the other in the app.")
  /// The value is not of the attribute's type.
  public static let wrongStorageClass = FindingCode(
    text: "wrong-storage-class", severity: .error, check: .values,
    meaning: "the value is not of the attribute's type",
    cause: """
      The value was written by something other than Core Data, or the attribute's type was \
      changed without a migration.
      """,
    effect: """
      The app gets a value converted as best SQLite can, such as 0 or an empty text, or crashes \
      when it reads the object.
      """,
    remedy: "Set the value anew in the app, or look for it in an older backup.")
  /// The number does not fit the width of the attribute's type.
  public static let integerOutOfRange = FindingCode(
    text: "integer-out-of-range", severity: .error, check: .values,
    meaning: "the number does not fit the width of the attribute's type",
    cause: """
      The value was written by something other than Core Data, or the attribute was made \
      narrower without a migration.
      """,
    effect: "The app gets the number with its upper bits cut off, which is another number.",
    remedy: """
      Set the value anew in the app, or make the attribute wider in a new version of the \
      model.
      """)
  /// The value of the Boolean attribute is neither 0 nor 1.
  public static let invalidBoolean = FindingCode(
    text: "invalid-boolean", severity: .error, check: .values,
    meaning: "the value of the Boolean attribute is neither 0 nor 1",
    cause: """
      The value was written by something other than Core Data, or the attribute was a number \
      before and became a Boolean without a migration.
      """,
    effect: """
      The app takes the value for true, but a fetch that looks for true does not find the object.
      """,
    remedy: "Set the value anew in the app.")
  /// The value of the UUID attribute does not have 16 bytes.
  public static let invalidUUID = FindingCode(
    text: "invalid-uuid", severity: .error, check: .values,
    meaning: "the value of the UUID attribute does not have 16 bytes",
    cause: """
      The value was written by something other than Core Data, often as the text of the UUID.
      """,
    effect: """
      The app gets nil or another UUID, does not find the object by its UUID, or crashes when it \
      reads it.
      """,
    remedy: """
      Look for the UUID in an older backup; otherwise give the object a new one in the app.
      """)
  /// The text is not valid UTF-8.
  public static let invalidText = FindingCode(
    text: "invalid-text", severity: .error, check: .values,
    meaning: "the text is not valid UTF-8",
    cause: """
      The text was written in another encoding or cut within a character by something other \
      than Core Data, or the file is damaged.
      """,
    effect: """
      The app gets nil or a text with replacement characters, or crashes when it reads the object.
      """,
    remedy: """
      Set the text anew in the app, or look for it in an older backup. An archive keeps the \
      bytes as they are.
      """)
  /// The value does not pass a validation of the model.
  public static let invalidValue = FindingCode(
    text: "invalid-value", severity: .warning, check: .validation,
    meaning: "the value does not pass a validation of the model",
    cause: """
      The validation is newer than the value: Core Data asks for it only when an object is \
      saved. Batch updates and SQL do not ask at all.
      """,
    effect: """
      The app works with the value; saving the object after any change fails until the value \
      passes.
      """,
    remedy: "Set a value that passes in the app.")
  /// A validation of the model cannot be evaluated here.
  public static let validationNotEvaluated = FindingCode(
    text: "validation-not-evaluated", severity: .info, check: .validation,
    meaning: "a validation of the model cannot be evaluated here",
    cause: """
      The validation is a regular expression, a function, or another form that only Core Data \
      evaluates.
      """,
    effect: "The app evaluates the validation when an object is saved.",
    remedy: "Do nothing; whether the values pass is not known.")

  static let rulesCodes: [FindingCode] = [
    .missingValue, .missingValueWithDefault, .missingDestination, .tooFewDestinations,
    .tooManyDestinations, .duplicateUniqueValue, .wrongStorageClass, .integerOutOfRange,
    .invalidBoolean, .invalidUUID, .invalidText, .invalidValue, .validationNotEvaluated,
  ]
}
