internal import ArgumentParser

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
