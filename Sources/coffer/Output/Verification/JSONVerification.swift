internal import CofferKit
internal import CoreDataArchive

/// Shows every finding as a line of JSON when it is found, and the summary last.
final class JSONVerification: VerificationReport {
  private let lines: JSONLines
  private let path: String

  /// Creates a report about a file, by its path as it was given.
  init(_ lines: JSONLines, path: String) {
    self.lines = lines
    self.path = path
  }

  func found(_ finding: Finding) throws { try lines.show(finding) }

  func verified(_ outcome: VerificationOutcome) throws {
    let summary = outcome.summary
    try lines.summary(
      outcome.status,
      [
        "path": .string(path), "kind": .string(summary.kind.rawValue),
        "storeUUID": summary.storeUUID.map { .string($0) } ?? .null,
        "objects": JSONLines.number(summary.objectCount),
        "errors": JSONLines.number(summary.count(of: .error)),
        "warnings": JSONLines.number(summary.count(of: .warning)),
        "infos": JSONLines.number(summary.count(of: .info)),
        "checks": JSONLines.number(summary.checks.count),
        "checksNotRun": .array(summary.checksNotRun.map { .string($0.rawValue) }),
      ])
    try lines.finish()
  }

  func failed(_ failure: Failure) throws { try lines.finish() }
}
