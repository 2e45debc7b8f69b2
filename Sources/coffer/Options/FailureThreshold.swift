internal import ArgumentParser
internal import CofferKit

/// The lowest severity of a finding that ends a command with 3.
enum FailureThreshold: String, ExpressibleByArgument, CaseIterable, Sendable {
  case warning, error

  var severity: FindingSeverity { self == .warning ? .warning : .error }

  /// Whether a finding of this severity ends a command with 3.
  func isReached(by severity: FindingSeverity) -> Bool {
    severity >= self.severity
  }

  func status(_ count: (FindingSeverity) -> Int) -> ExitStatus {
    FindingSeverity.allCases.contains { isReached(by: $0) && count($0) > 0 } ? .findings : .done
  }
}
