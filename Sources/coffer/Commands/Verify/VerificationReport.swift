internal import ArgumentParser
internal import CofferKit

/// Shows what a verification finds, in one format.
///
/// Findings come one by one; then either ``verified(_:)`` or ``failed(_:)`` is called, once.
/// Whatever the number of findings, memory stays bounded: what cannot be written at once is counted,
/// and examples are kept.
protocol VerificationReport: AnyObject {
  /// Takes note of a finding, or shows it.
  func found(_ finding: Finding) throws
  /// Shows what the verification came to, and writes everything that has not been written yet.
  func verified(_ outcome: VerificationOutcome) throws
  /// Shows what was found before the work failed, and writes everything that has not been written
  /// yet. The failure itself is told on standard error as well, by the caller.
  func failed(_ failure: Failure) throws
}

/// What a verification came to, and what it is judged by.
struct VerificationOutcome {
  /// The result.
  var summary: VerificationSummary
  /// The status that the program ends with.
  var status: ExitStatus
  /// How long it took; only text for people shows it, so that all else is the same each time.
  var elapsed: Duration
}

/// How the answer of a verification is written.
enum VerificationFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people.
  case text
  /// Lines of JSON.
  case json
  /// The XML of JUnit: a test case for each check.
  case junit
  /// SARIF 2.1.0: a result for each finding.
  case sarif
}
