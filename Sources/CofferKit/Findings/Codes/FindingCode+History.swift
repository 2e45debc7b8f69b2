/// The codes of findings about persistent history.
extension FindingCode {
  /// The change belongs to a transaction that is not there.
  public static let changeWithoutTransaction = FindingCode(
    text: "change-without-transaction", severity: .error, check: .history,
    meaning: "the change belongs to a transaction that is not there",
    cause: "",
    effect: "",
    remedy: "")
  /// The change is of an object of an unknown entity.
  public static let changeOfUnknownEntity = FindingCode(
    text: "change-of-unknown-entity", severity: .error, check: .history,
    meaning: "the change is of an object of an unknown entity",
    cause: "",
    effect: "",
    remedy: "")
  /// The change is of an object beyond the counter of primary keys.
  public static let changeBeyondCounter = FindingCode(
    text: "change-beyond-counter", severity: .warning, check: .history,
    meaning: "the change is of an object beyond the counter of primary keys",
    cause: "",
    effect: "",
    remedy: "")
  /// The transaction refers to a text that is not there.
  public static let danglingHistoryString = FindingCode(
    text: "dangling-history-string", severity: .error, check: .history,
    meaning: "the transaction refers to a text that is not there",
    cause: "",
    effect: "",
    remedy: "")
  /// The transaction is older than the one before it.
  public static let historyOutOfOrder = FindingCode(
    text: "history-out-of-order", severity: .warning, check: .history,
    meaning: "the transaction is older than the one before it",
    cause: "",
    effect: "",
    remedy: "")

  static let historyCodes: [FindingCode] = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .changeBeyondCounter,
    .danglingHistoryString, .historyOutOfOrder,
  ]
}
