/// Counts findings and passes the requested ones to the caller.
final class FindingFilter {
  private let options: VerificationOptions
  private let receiver: (Finding) throws -> Void
  /// The number of reported findings of each severity.
  private(set) var counts: [FindingSeverity: Int] = [:]
  /// The checks that could not run.
  var notRun: Set<CheckName> = []

  init(_ options: VerificationOptions, receiver: @escaping (Finding) throws -> Void) {
    self.options = options
    self.receiver = receiver
  }

  /// Passes on a finding, unless its code or check was not requested.
  func report(_ finding: Finding) throws {
    guard options.wants(finding.code) else { return }
    counts[finding.severity, default: 0] += 1
    try receiver(finding)
  }
}
