internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Counters of primary keys against the keys of their tables.
@Suite struct CounterCheckTests {
  @Test(
    arguments: [
      // Old frameworks write -1 for an entity without a saved object.
      (-1, true, [String]()), (0, true, []), (7, true, []),
      (-2, true, ["error invalid-primary-key-counter VisitEntity"]),
      (-1, false, ["error primary-key-counter-behind VisitEntity"]),
    ])
  func aCounterMayBeMinusOneInAnEmptyTable(
    _ counter: Int, _ isEmpty: Bool, _ expected: [String]
  ) throws {
    let sample = try SampleCopy()
    try sample.change(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(counter) WHERE Z_NAME = 'VisitEntity';
      DELETE FROM ZVISITENTITY WHERE \(isEmpty)
      """)
    var options = VerificationOptions()
    options.checks = [.counters]
    #expect(try Verification(of: sample.path, options: options).texts == expected)
    #expect(try Verification.ofArchive(of: sample.path, options: options).texts == expected)
  }
}
