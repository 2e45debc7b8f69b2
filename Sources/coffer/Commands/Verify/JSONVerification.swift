internal import CofferKit

/// Writes every finding as a line of JSON immediately, and the summary last.
final class JSONVerification: VerificationReport {
  private let printer: JSONPrinter
  private let path: String

  /// Creates a report about a file, named by its path as given.
  init(_ printer: JSONPrinter, path: String) {
    self.printer = printer
    self.path = path
  }

  func found(_ finding: Finding) throws { try FindingsMessage([finding]).write(to: printer) }

  func verified(_ outcome: VerificationOutcome) throws {
    let summary = outcome.summary
    try printer.summary(
      outcome.status,
      [
        "path": path, "kind": summary.kind.rawValue, "storeUUID": orNull(summary.storeUUID),
        "objects": summary.objectCount, "contentDigest": orNull(summary.contentDigest),
        "errors": summary.count(of: .error), "warnings": summary.count(of: .warning),
        "infos": summary.count(of: .info), "checks": summary.checks.count,
        "checksNotRun": summary.checksNotRun.map(\.rawValue),
      ])
    try printer.finish()
  }

  func failed(_ failure: Failure) throws { try printer.finish() }
}
