/// The codes of findings about the verification itself.
extension FindingCode {
  /// A check could not run.
  public static let checkNotRun = FindingCode(
    text: "check-not-run", severity: .warning, check: .verification,
    meaning: "a check could not run",
    cause:
      "The check needs something that is not there, such as a model that is more than a guess, or a table that cannot be read; the detail tells what.",
    effect: "Nothing is known of it: what the check would have found may be there.",
    remedy: "Give what is missing, such as a model, and verify again.")

  static let workCodes: [FindingCode] = [
    .checkNotRun
  ]
}
