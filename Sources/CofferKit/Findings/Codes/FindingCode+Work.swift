/// The codes of findings about the verification itself.
extension FindingCode {
  /// A check could not run.
  public static let checkNotRun = FindingCode(
    text: "check-not-run", severity: .warning, check: .verification,
    meaning: "a check could not run",
    cause: "",
    effect: "",
    remedy: "")

  static let workCodes: [FindingCode] = [
    .checkNotRun
  ]
}
