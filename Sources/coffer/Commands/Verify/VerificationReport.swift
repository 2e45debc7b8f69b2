internal import ArgumentParser
internal import CofferKit

/// Writes the findings of a verification in one format.
///
/// Findings come one by one, followed by one call of either ``verified(_:)`` or ``failed(_:)``.
/// Memory stays bounded for any number of findings: a report counts findings that it cannot write
/// immediately, and keeps examples.
protocol VerificationReport: AnyObject {
  /// Records or writes a finding.
  func found(_ finding: Finding) throws
  /// Writes the result of the verification and everything not yet written.
  func verified(_ outcome: VerificationOutcome) throws
  /// Writes the findings before a failure and everything not yet written. The caller also prints
  /// the failure itself to standard error.
  func failed(_ failure: Failure) throws
}

/// The result of a verification and its exit status.
struct VerificationOutcome {
  var summary: VerificationSummary
  var status: ExitStatus
  /// The elapsed time.
  ///
  /// Only text output contains it, so that other output is the same each time.
  var elapsed: Duration
}

enum VerificationFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text
  case json
  /// JUnit XML, with a test case for each check.
  case junit
  /// SARIF 2.1.0, with a result for each finding.
  case sarif
}
