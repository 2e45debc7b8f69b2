/// The codes of findings about the rules of the model.
extension FindingCode {
  /// A required attribute has no value.
  public static let missingValue = FindingCode(
    text: "missing-value", severity: .error, check: .required,
    meaning: "a required attribute has no value",
    cause: "",
    effect: "",
    remedy: "")
  /// A required attribute has no value, and the model has a default for it.
  public static let missingValueWithDefault = FindingCode(
    text: "missing-value-with-default", severity: .warning, check: .required,
    meaning: "a required attribute has no value, and the model has a default for it",
    cause: "",
    effect: "",
    remedy: "")
  /// A required relationship leads nowhere.
  public static let missingDestination = FindingCode(
    text: "missing-destination", severity: .error, check: .required,
    meaning: "a required relationship leads nowhere",
    cause: "",
    effect: "",
    remedy: "")
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
    cause: "",
    effect: "",
    remedy: "")
  /// The value is not of the attribute's type.
  public static let wrongStorageClass = FindingCode(
    text: "wrong-storage-class", severity: .error, check: .values,
    meaning: "the value is not of the attribute's type",
    cause: "",
    effect: "",
    remedy: "")
  /// The number does not fit the width of the attribute's type.
  public static let integerOutOfRange = FindingCode(
    text: "integer-out-of-range", severity: .error, check: .values,
    meaning: "the number does not fit the width of the attribute's type",
    cause: "",
    effect: "",
    remedy: "")
  /// The value of the Boolean attribute is neither 0 nor 1.
  public static let invalidBoolean = FindingCode(
    text: "invalid-boolean", severity: .error, check: .values,
    meaning: "the value of the Boolean attribute is neither 0 nor 1",
    cause: "",
    effect: "",
    remedy: "")
  /// The value of the UUID attribute does not have 16 bytes.
  public static let invalidUUID = FindingCode(
    text: "invalid-uuid", severity: .error, check: .values,
    meaning: "the value of the UUID attribute does not have 16 bytes",
    cause: "",
    effect: "",
    remedy: "")
  /// The text is not valid UTF-8.
  public static let invalidText = FindingCode(
    text: "invalid-text", severity: .error, check: .values,
    meaning: "the text is not valid UTF-8",
    cause: "",
    effect: "",
    remedy: "")
  /// The value does not pass a validation of the model.
  public static let invalidValue = FindingCode(
    text: "invalid-value", severity: .warning, check: .validation,
    meaning: "the value does not pass a validation of the model",
    cause: "",
    effect: "",
    remedy: "")
  /// A validation of the model cannot be evaluated here.
  public static let validationNotEvaluated = FindingCode(
    text: "validation-not-evaluated", severity: .info, check: .validation,
    meaning: "a validation of the model cannot be evaluated here",
    cause: "",
    effect: "",
    remedy: "")

  static let rulesCodes: [FindingCode] = [
    .missingValue, .missingValueWithDefault, .missingDestination, .tooFewDestinations,
    .tooManyDestinations, .duplicateUniqueValue, .wrongStorageClass, .integerOutOfRange,
    .invalidBoolean, .invalidUUID, .invalidText, .invalidValue, .validationNotEvaluated,
  ]
}
