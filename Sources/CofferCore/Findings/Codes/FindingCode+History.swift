/// The codes of findings about persistent history.
extension FindingCode {
  /// The change belongs to a transaction that does not exist.
  public static let changeWithoutTransaction = FindingCode(
    text: "change-without-transaction", severity: .error, check: .history,
    meaning: "the change belongs to a transaction that does not exist",
    cause: """
      The history was cleaned up with SQL, the store file was copied while in use, or it is \
      damaged.
      """,
    effect: """
      Readers of the history (widgets, extensions, a sync service) may fail when they fetch it, or \
      miss the change.
      """,
    remedy: """
      Delete the history in the app up to today, and let all its readers start over. The objects \
      are not affected.
      """,
    fix: .lossy("Remove the change.").automatic)
  /// The change is of an object of an unknown entity.
  public static let changeOfUnknownEntity = FindingCode(
    text: "change-of-unknown-entity", severity: .error, check: .history,
    meaning: "the change is of an object of an unknown entity",
    cause: """
      A migration or a tool renumbered the entities without updating the history, or the file is \
      damaged.
      """,
    effect: "Readers of the history get a change of no object, and may fail when they fetch it.",
    remedy: """
      Delete the history in the app, and let all its readers start over. If many changes are \
      affected, do not trust the others: their numbers may now mean other entities.
      """,
    fix: .lossy("Remove the change.").automatic)
  /// The change does not say what happened to which object.
  public static let invalidChange = FindingCode(
    text: "invalid-change", severity: .error, check: .history,
    meaning: "the change does not say what happened to which object",
    cause: """
      SQL, a tool that wrote the history, or damage. A newer system may have kinds of changes that \
      coffer does not know.
      """,
    effect: "Readers of the history cannot interpret the change, and may fail when they fetch it.",
    remedy: "Delete the history in the app, and let all its readers start over.",
    fix: .lossy("Remove the change.").automatic)
  /// The change is of an object beyond the counter of primary keys.
  public static let changeBeyondCounter = FindingCode(
    text: "change-beyond-counter", severity: .warning, check: .history,
    meaning: "the change is of an object beyond the primary key counter",
    cause: """
      The store file was copied while in use, so the history is newer than the rest, or a counter \
      was set back.
      """,
    effect: """
      The app will assign the key to another object, and the history will then describe the wrong \
      object.
      """,
    remedy: "Copy the store again while the app is closed, or delete the history in the app.",
    fix: .lossless("Raise the counter to the highest key that the history names.")
      .automatic)
  /// The transaction refers to a string that does not exist.
  public static let danglingHistoryString = FindingCode(
    text: "dangling-history-string", severity: .error, check: .history,
    meaning: "the transaction refers to a string that does not exist",
    cause: """
      The history was cleaned up with SQL, the store file was copied while in use, or it is \
      damaged.
      """,
    effect: """
      The app gets a transaction without an author or process, and may mistake its own changes for \
      changes by others.
      """,
    remedy: "Delete the history in the app up to today.",
    fix: .lossy("Unset the reference: the transaction then has no author or process.").automatic)
  /// The transaction is older than the one before it.
  public static let historyOutOfOrder = FindingCode(
    text: "history-out-of-order", severity: .warning, check: .history,
    meaning: "the transaction is older than the one before it",
    cause: "A clock was set back, or a tool merged histories.",
    effect:
      "The app copes. If it fetches or deletes history by date, it may get too much or too little.",
    remedy: "Nothing, unless readers of the history missed changes.",
    fix: .none("There is nothing to decide: the real time of the transaction is lost."))

  /// The transaction has no time.
  public static let invalidTransactionTime = FindingCode(
    text: "invalid-transaction-time", severity: .error, check: .history,
    meaning: "the transaction has no time",
    cause: "SQL, or a tool that wrote the history.",
    effect: """
      The app gets a wrong date for the transaction. If it fetches or deletes history by date, it \
      gets too much or too little.
      """,
    remedy: "Delete the history in the app, and let all its readers start over.",
    fix: .derived("Give it the time of the preceding transaction, or else of the following one.")
      .automatic)
  /// Rows of the persistent history have the number of another entity.
  public static let wrongHistoryEntity = FindingCode(
    text: "wrong-history-entity", severity: .error, check: .history,
    meaning: "rows of the persistent history have the number of another entity",
    cause: "SQL, or a tool that wrote the history or renumbered the entities.",
    effect: """
      Readers of the history (widgets, extensions, a sync service) miss these rows or fail when \
      they fetch them.
      """,
    remedy: "Delete the history in the app, and let all its readers start over.",
    fix: .lossless("Set the number of the entity that the table is named after.")
      .automatic)
  /// Changes name more properties than the entity has.
  public static let surplusChangedProperties = FindingCode(
    text: "surplus-changed-properties", severity: .error, check: .history,
    meaning: "changes name more properties than the entity has",
    cause: """
      A tool migrated the store without rewriting the history, or wrote the history. The positions \
      of properties depend on the model.
      """,
    effect: """
      Readers of the history take other properties for changed, or fail when they fetch the changes.
      """,
    remedy: "Delete the history in the app, and let all its readers start over.",
    fix: .derived("Cut the list of changed properties after the entity's last property.").automatic
  )

  static let historyCodes: [FindingCode] = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .changeBeyondCounter,
    .danglingHistoryString, .historyOutOfOrder, .invalidTransactionTime, .wrongHistoryEntity,
    .surplusChangedProperties,
  ]
}
