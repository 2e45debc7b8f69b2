internal import ArgumentParser
internal import CofferKit

/// The lowest severity that makes a verification fail.
enum FailureThreshold: String, ExpressibleByArgument, CaseIterable, Sendable {
  case warning, error

  /// Whether a finding of this severity makes it fail.
  func isReached(by severity: FindingSeverity) -> Bool {
    severity >= (self == .warning ? .warning : .error)
  }

  /// The exit status for a summary.
  func status(_ summary: VerificationSummary) -> ExitStatus {
    let isBad = FindingSeverity.allCases.contains { severity in
      isReached(by: severity) && summary.count(of: severity) > 0
    }
    return isBad ? .findings : .done
  }
}
