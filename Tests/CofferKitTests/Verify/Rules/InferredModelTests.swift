internal import CofferKit
internal import TestSupport
internal import Testing

/// Without the model of a store nothing is known of its rules.
@Suite struct InferredModelTests {
  @Test(arguments: [CheckName.required, .uniqueness, .values, .validation])
  func withoutAModelTheRulesAreNotChecked(_ check: CheckName) throws {
    let sample = try SampleCopy()
    try Damage.missingModelCacheTable.apply(to: sample.path)
    // Something for each check to find, if it ran.
    try sample.change(
      """
      UPDATE ZTAGENTITY SET ZCOLOR = 'red', ZNAME = '' WHERE Z_PK = 1;
      UPDATE ZSETTINGSENTITY SET ZPERSON = NULL WHERE Z_PK = 1
      """)
    var options = VerificationOptions()
    options.checks = [check]
    for verification in [
      try Verification(of: sample.path, options: options),
      try Verification.ofArchive(of: sample.path, options: options),
    ] {
      #expect(verification.texts == ["warning check-not-run"])
      #expect(verification.summary.checks == [])
      #expect(verification.summary.checksNotRun == [check])
    }
  }
}
