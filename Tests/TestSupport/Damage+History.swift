extension Damage {
  /// A change of the history belongs to no transaction.
  package static let changeWithoutTransaction = Damage(
    "change-without-transaction", "the change 1 belongs to a transaction that is not there",
    sql: "UPDATE ACHANGE SET ZTRANSACTIONID = 999 WHERE Z_PK = 1")
  /// A change of the history is of an entity that there is not.
  package static let changeOfUnknownEntity = Damage(
    "change-of-unknown-entity", "the change 1 is of an entity that there is not",
    sql: "UPDATE ACHANGE SET ZENTITY = 77 WHERE Z_PK = 1")
  /// A change of the history is of a kind that there is not.
  package static let changeOfUnknownKind = Damage(
    "change-of-unknown-kind", "the change 1 is neither an insertion, an update nor a deletion",
    sql: "UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK = 1")
  /// A change of the history names no object.
  package static let changeOfNoObject = Damage(
    "change-of-no-object", "the change 1 does not say of which object it is",
    sql: "UPDATE ACHANGE SET ZENTITYPK = NULL WHERE Z_PK = 1")
  /// A change of the history is of an object that was never there.
  package static let changeBeyondMaximum = Damage(
    "change-beyond-maximum", "the change 20 is of a visit with a key that was never handed out",
    sql: "UPDATE ACHANGE SET ZENTITYPK = 999 WHERE Z_PK = 20")
  /// An object exists although the history records its deletion.
  package static let deletedObjectPresent = Damage(
    "deleted-object-present", "TagEntity/p7 is there, but its deletion is recorded",
    sql: """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      VALUES (99, 16001, 2, 9, 7, 3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_ENT = 16001
      """)
  /// An object's version is below the version in the history.
  package static let versionBelowHistory = Damage(
    "version-below-history", "TodoEntity/p2 has the version 1, but two updates are recorded",
    sql: "UPDATE ZITEMENTITY SET Z_OPT = 1 WHERE Z_PK = 2")
  /// A transaction refers to a text that is not there.
  package static let danglingTransactionString = Damage(
    "dangling-transaction-string", "the author of the transaction 1 is not there",
    sql: "UPDATE ATRANSACTION SET ZAUTHORTS = 999 WHERE Z_PK = 1")
  /// A transaction is older than the previous one.
  package static let backdatedTransaction = Damage(
    "backdated-transaction", "the transaction 3 is older than the transaction 2",
    sql: "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 1000 WHERE Z_PK = 3")
  /// The transactions are gone, and the changes are not.
  package static let noTransactions = Damage(
    "no-transactions", "the transactions of all but one of the changes are gone",
    sql: "DELETE FROM ATRANSACTION; DELETE FROM ACHANGE WHERE Z_PK > 1")
  /// Rows of the history have versions.
  package static let historyVersions = Damage(
    "history-versions", "two changes have versions, which those of Core Data do not",
    sql: "UPDATE ACHANGE SET Z_OPT = 1 WHERE Z_PK IN (2, 5)")

  /// The time of a transaction is a text.
  package static let textTime = Damage(
    "text-time", "the time of the transaction 2 is a text",
    sql: "UPDATE ATRANSACTION SET ZTIMESTAMP = 'yesterday' WHERE Z_PK = 2")
  /// The time of a transaction is infinite.
  package static let infiniteTime = Damage(
    "infinite-time", "the time of the transaction 1 is infinite",
    sql: "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999 WHERE Z_PK = 1")
  /// Changes have the number of the transactions.
  package static let wrongNumberOfChanges = Damage(
    "wrong-number-of-changes", "two changes have the number of the transactions",
    sql: "UPDATE ACHANGE SET Z_ENT = 16002 WHERE Z_PK IN (1, 4)")
  /// A transaction has no number of an entity.
  package static let noNumberOfTransaction = Damage(
    "no-number-of-transaction", "the transaction 2 has no number of an entity",
    sql: "UPDATE ATRANSACTION SET Z_ENT = NULL WHERE Z_PK = 2")
  /// A mask is longer than the properties of its entity.
  package static let longMask = Damage(
    "long-mask", "an update names properties in one byte more than its entity has",
    sql: """
      UPDATE ACHANGE SET ZCOLUMNS = CAST(ZCOLUMNS || x'80' AS BLOB) WHERE Z_PK = \
      (SELECT min(Z_PK) FROM ACHANGE WHERE ZCHANGETYPE = 1)
      """)

  static let history = [
    changeWithoutTransaction, changeOfUnknownEntity, changeOfUnknownKind, changeOfNoObject,
    changeBeyondMaximum, deletedObjectPresent, versionBelowHistory, danglingTransactionString,
    backdatedTransaction, noTransactions, historyVersions, textTime, infiniteTime,
    wrongNumberOfChanges, noNumberOfTransaction, longMask,
  ]
}
