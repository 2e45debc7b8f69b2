/// Counts findings and hands those that were asked for to the caller.
final class FindingFilter {
  private let options: VerificationOptions
  private let receiver: (Finding) throws -> Void
  /// How many findings of each severity were handed on.
  private(set) var counts: [FindingSeverity: Int] = [:]
  /// The checks that could not run.
  var notRun: Set<CheckName> = []

  /// Creates a filter.
  init(_ options: VerificationOptions, receiver: @escaping (Finding) throws -> Void) {
    self.options = options
    self.receiver = receiver
  }

  /// Hands on a finding, unless its code or its check is not asked for.
  func report(_ finding: Finding) throws {
    guard options.wants(finding.code) else { return }
    counts[finding.severity, default: 0] += 1
    try receiver(finding)
  }
}
