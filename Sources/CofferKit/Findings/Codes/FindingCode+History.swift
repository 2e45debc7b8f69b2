/// The codes of findings about persistent history.
extension FindingCode {
  /// The change belongs to a transaction that is not there.
  public static let changeWithoutTransaction = FindingCode(
    text: "change-without-transaction", severity: .error, check: .history,
    meaning: "the change belongs to a transaction that is not there",
    cause: "A clean-up of the history by SQL; a store file that was copied while in use; damage.",
    effect:
      "Whatever follows the history (widgets, extensions, a sync service) may fail when it "
      + "fetches it, or not learn of the change.",
    remedy:
      "Delete the history in the app up to today, and let everything that follows it begin "
      + "anew. The objects are not concerned.")
  /// The change is of an object of an unknown entity.
  public static let changeOfUnknownEntity = FindingCode(
    text: "change-of-unknown-entity", severity: .error, check: .history,
    meaning: "the change is of an object of an unknown entity",
    cause:
      "A migration or a tool that renumbered the entities and left the history as it was; "
      + "damage.",
    effect:
      "Whatever follows the history gets a change of no object, and may fail when it fetches "
      + "it.",
    remedy:
      "Delete the history in the app, and let everything that follows it begin anew. If many "
      + "changes have this, do not trust the other ones either: the numbers may mean other "
      + "entities by now.")
  /// The change does not say what happened to which object.
  public static let invalidChange = FindingCode(
    text: "invalid-change", severity: .error, check: .history,
    meaning: "the change does not say what happened to which object",
    cause:
      "SQL; a tool that wrote the history; damage. A newer system may know kinds of changes "
      + "that are not known here.",
    effect:
      "Whatever follows the history cannot make sense of the change, and may fail when it "
      + "fetches it.",
    remedy: "Delete the history in the app, and let everything that follows it begin anew.")
  /// The change is of an object beyond the counter of primary keys.
  public static let changeBeyondCounter = FindingCode(
    text: "change-beyond-counter", severity: .warning, check: .history,
    meaning: "the change is of an object beyond the counter of primary keys",
    cause:
      "A store file that was copied while in use, so that the history is newer than the rest; "
      + "a counter that was set back.",
    effect:
      "The app will hand the key out to another object, for which the history then records what "
      + "happened to this one.",
    remedy: "Take the copy again while the app is closed. Or delete the history in the app.")
  /// The transaction refers to a text that is not there.
  public static let danglingHistoryString = FindingCode(
    text: "dangling-history-string", severity: .error, check: .history,
    meaning: "the transaction refers to a text that is not there",
    cause: "A clean-up of the history by SQL; a store file that was copied while in use; damage.",
    effect:
      "The app gets a transaction without an author or a process, and may take its own changes for "
      + "those of others.",
    remedy: "Delete the history in the app up to today.")
  /// The transaction is older than the one before it.
  public static let historyOutOfOrder = FindingCode(
    text: "history-out-of-order", severity: .warning, check: .history,
    meaning: "the transaction is older than the one before it",
    cause: "A clock that was set back; a tool that joined histories.",
    effect:
      "The app copes. Where it fetches or deletes the history by date, it may get too much or "
      + "leave something out.",
    remedy: "Nothing, unless whatever follows the history missed changes.")

  static let historyCodes: [FindingCode] = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .changeBeyondCounter,
    .danglingHistoryString, .historyOutOfOrder,
  ]
}
