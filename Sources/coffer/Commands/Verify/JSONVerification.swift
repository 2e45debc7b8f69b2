internal import CofferKit
internal import CoreDataArchive

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
        "path": .string(path), "kind": .string(summary.kind.rawValue),
        "storeUUID": .text(summary.storeUUID) ?? .null,
        "objects": .number(summary.objectCount),
        "contentDigest": .text(summary.contentDigest) ?? .null,
        "errors": .number(summary.count(of: .error)),
        "warnings": .number(summary.count(of: .warning)),
        "infos": .number(summary.count(of: .info)),
        "checks": .number(summary.checks.count),
        "checksNotRun": .array(summary.checksNotRun.map { .string($0.rawValue) }),
      ])
    try printer.finish()
  }

  func failed(_ failure: Failure) throws { try printer.finish() }
}
