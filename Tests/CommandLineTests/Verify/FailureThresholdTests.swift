internal import CofferKit
internal import Testing

@testable internal import coffer

@Suite struct FailureThresholdTests {
  @Test(
    arguments: [
      (FindingCode.danglingPair, FailureThreshold.error, true),
      (.danglingPair, .warning, true), (.inverseMismatch, .error, true),
      (.checkNotRun, .error, false), (.checkNotRun, .warning, true),
      (.inverseMissing, .warning, false), (.historyVersionSet, .warning, false),
    ])
  func theSeverityDecidesTheStatus(
    _ code: FindingCode, _ threshold: FailureThreshold, _ isReached: Bool
  ) {
    var made = MadeUpFindings()
    made.findings = [Finding(code)]
    made.threshold = threshold
    #expect(made.outcome.status == (isReached ? .findings : .done))
  }

  @Test func nothingFoundIsNoReason() {
    #expect(FailureThreshold.warning.status(MadeUpFindings().outcome.summary.count) == .done)
  }
}
