/// The codes of findings about what identifies an object.
extension FindingCode {
  /// The primary key is not a positive number.
  public static let invalidPrimaryKey = FindingCode(
    text: "invalid-primary-key", severity: .error, check: .entities,
    meaning: "the primary key is not a positive number",
    cause: "",
    effect: "",
    remedy: "")
  /// The object does not say of which entity it is.
  public static let missingEntityNumber = FindingCode(
    text: "missing-entity-number", severity: .error, check: .entities,
    meaning: "the object does not say of which entity it is",
    cause: "",
    effect: "",
    remedy: "")
  /// The object is of an entity that nothing explains.
  public static let unknownEntity = FindingCode(
    text: "unknown-entity", severity: .error, check: .entities,
    meaning: "the object is of an entity that nothing explains",
    cause: "",
    effect: "",
    remedy: "")
  /// The object is of an entity whose objects belong into another table.
  public static let foreignEntity = FindingCode(
    text: "foreign-entity", severity: .error, check: .entities,
    meaning: "the object is of an entity whose objects belong into another table",
    cause: "",
    effect: "",
    remedy: "")
  /// The object is of an abstract entity, which can have none.
  public static let abstractEntity = FindingCode(
    text: "abstract-entity", severity: .error, check: .entities,
    meaning: "the object is of an abstract entity, which can have none",
    cause: "",
    effect: "",
    remedy: "")
  /// The version counter is missing, below 1, or not an integer.
  public static let invalidVersion = FindingCode(
    text: "invalid-version", severity: .error, check: .versions,
    meaning: "the version counter is missing, below 1, or not an integer",
    cause: "",
    effect: "",
    remedy: "")
  /// The version counter is lower than the updates that the persistent history records.
  public static let versionBehindHistory = FindingCode(
    text: "version-behind-history", severity: .warning, check: .versions,
    meaning: "the version counter is lower than the updates that the persistent history records",
    cause: "",
    effect: "",
    remedy: "")
  /// The object is there although the persistent history records its deletion.
  public static let deletedObjectPresent = FindingCode(
    text: "deleted-object-present", severity: .error, check: .versions,
    meaning: "the object is there although the persistent history records its deletion",
    cause: "",
    effect: "",
    remedy: "")
  /// Rows of the persistent history have version counters, which Core Data leaves empty.
  public static let historyVersionSet = FindingCode(
    text: "history-version-set", severity: .info, check: .versions,
    meaning: "rows of the persistent history have version counters, which Core Data leaves empty",
    cause: "",
    effect: "",
    remedy: "")

  static let objectsCodes: [FindingCode] = [
    .invalidPrimaryKey, .missingEntityNumber, .unknownEntity, .foreignEntity, .abstractEntity,
    .invalidVersion, .versionBehindHistory, .deletedObjectPresent, .historyVersionSet,
  ]
}
