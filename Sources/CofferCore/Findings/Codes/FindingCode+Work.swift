/// The codes of findings about the verification itself.
extension FindingCode {
  /// A check could not run, or only in part.
  public static let checkNotRun = FindingCode(
    text: "check-not-run", severity: .warning, check: .verification,
    meaning: "a check could not run, or only in part",
    cause: """
      The check needs something that is missing, such as a model that is not inferred, or a table \
      that cannot be read. The detail says what.
      """,
    effect: "Unknown: there may be defects that the check would have found.",
    remedy: "Provide what is missing, such as the app's model, and verify again.",
    fix: .none("Nothing is known to be wrong. Provide what the check needs, and verify again."))

  static let workCodes: [FindingCode] = [
    .checkNotRun
  ]
}
