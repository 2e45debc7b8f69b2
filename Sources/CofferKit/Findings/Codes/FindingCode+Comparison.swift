/// The codes of findings about a comparison with an older state.
extension FindingCode {
  /// The store has another UUID than before.
  public static let storeUUIDChanged = FindingCode(
    text: "store-uuid-changed", severity: .warning, check: .against,
    meaning: "the store has another UUID than before",
    cause: "",
    effect: "",
    remedy: "")
  /// The version counter is lower than before.
  public static let versionWentBackwards = FindingCode(
    text: "version-went-backwards", severity: .error, check: .against,
    meaning: "the version counter is lower than before",
    cause: "",
    effect: "",
    remedy: "")
  /// The object changed and its version counter did not.
  public static let changedWithoutVersion = FindingCode(
    text: "changed-without-version", severity: .warning, check: .against,
    meaning: "the object changed and its version counter did not",
    cause: "",
    effect: "",
    remedy: "")
  /// The counter of primary keys is lower than before.
  public static let counterWentBackwards = FindingCode(
    text: "counter-went-backwards", severity: .error, check: .against,
    meaning: "the counter of primary keys is lower than before",
    cause: "",
    effect: "",
    remedy: "")
  /// The entity lost most of its objects.
  public static let silentWipe = FindingCode(
    text: "silent-wipe", severity: .error, check: .against,
    meaning: "the entity lost most of its objects",
    cause: "",
    effect: "",
    remedy: "")

  static let comparisonCodes: [FindingCode] = [
    .storeUUIDChanged, .versionWentBackwards, .changedWithoutVersion, .counterWentBackwards,
    .silentWipe,
  ]
}
