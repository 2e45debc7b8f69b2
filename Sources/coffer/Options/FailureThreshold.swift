internal import ArgumentParser
internal import CofferKit

/// From which severity on findings make the answer a bad one.
enum FailureThreshold: String, ExpressibleByArgument, CaseIterable, Sendable {
  case warning, error

  /// Whether a finding of this severity is a reason to fail.
  func isReached(by severity: FindingSeverity) -> Bool {
    severity >= (self == .warning ? .warning : .error)
  }

  /// The status for what was found.
  func status(_ summary: VerificationSummary) -> ExitStatus {
    let isBad = FindingSeverity.allCases.contains { severity in
      isReached(by: severity) && summary.count(of: severity) > 0
    }
    return isBad ? .findings : .done
  }
}
