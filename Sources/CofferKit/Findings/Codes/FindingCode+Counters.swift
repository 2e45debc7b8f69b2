/// The codes of findings about the counters of primary keys.
extension FindingCode {
  /// The counter of primary keys is lower than the highest key.
  public static let primaryKeyCounterBehind = FindingCode(
    text: "primary-key-counter-behind", severity: .error, check: .counters,
    meaning: "the counter of primary keys is lower than the highest key",
    cause: "",
    effect: "",
    remedy: "")
  /// The counter of primary keys is not a number.
  public static let primaryKeyCounterInvalid = FindingCode(
    text: "invalid-primary-key-counter", severity: .error, check: .counters,
    meaning: "the counter of primary keys is not a number",
    cause: "",
    effect: "",
    remedy: "")
  /// A counter of primary keys is set at a sub-entity, where none is kept.
  public static let primaryKeyCounterOnSubentity = FindingCode(
    text: "primary-key-counter-on-subentity", severity: .warning, check: .counters,
    meaning: "a counter of primary keys is set at a sub-entity, where none is kept",
    cause: "",
    effect: "",
    remedy: "")
  /// The counter of primary keys lagged behind the objects and was raised.
  public static let primaryKeyCounterRaised = FindingCode(
    text: "primary-key-counter-raised", severity: .info, check: .counters,
    meaning: "the counter of primary keys lagged behind the objects and was raised",
    cause: "",
    effect: "",
    remedy: "")

  static let countersCodes: [FindingCode] = [
    .primaryKeyCounterBehind, .primaryKeyCounterInvalid, .primaryKeyCounterOnSubentity,
    .primaryKeyCounterRaised,
  ]
}
