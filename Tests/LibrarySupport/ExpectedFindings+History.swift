extension ExpectedFindings {
  /// Damages to persistent history.
  package static let history = [
    ExpectedFindings(
      "change-without-transaction", "error change-without-transaction TodoEntity/p1"),
    ExpectedFindings("no-transactions", "error change-without-transaction TodoEntity/p1"),
    ExpectedFindings("change-of-unknown-entity", "error change-of-unknown-entity"),
    ExpectedFindings("change-of-unknown-kind", "error invalid-change TodoEntity/p1"),
    ExpectedFindings("change-of-no-object", "error invalid-change TodoEntity"),
    ExpectedFindings("change-beyond-maximum", "warning change-beyond-counter VisitEntity/p999"),
    ExpectedFindings("dangling-transaction-string", "error dangling-history-string"),
    ExpectedFindings("backdated-transaction", "warning history-out-of-order"),
    ExpectedFindings("text-time", "error invalid-transaction-time"),
    ExpectedFindings("infinite-time", "error invalid-transaction-time"),
    ExpectedFindings("wrong-number-of-changes", "error wrong-history-entity CHANGE"),
    ExpectedFindings("no-number-of-transaction", "error wrong-history-entity TRANSACTION"),
    ExpectedFindings("long-mask", "error surplus-changed-properties TodoEntity"),
  ]
}
