internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What a comparison with an older state finds, with stores and with archives.
@Suite struct AgainstOlderTests {
  /// What became of a store, and the findings that this leads to.
  struct Change: Sendable, CustomStringConvertible {
    var description: String
    var statements: [String]
    var findings: [String] = []
  }

  static let changes = [
    Change(description: "nothing", statements: []),
    Change(
      description: "another UUID",
      statements: ["UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000001'"],
      findings: ["warning store-uuid-changed"]),
    Change(
      description: "a lower version counter",
      statements: ["UPDATE ZLOCATIONENTITY SET Z_OPT = 8 WHERE Z_PK = 3"],
      findings: ["error version-went-backwards LocationEntity/p3"]),
    Change(
      description: "a change that was counted",
      statements: ["UPDATE ZTAGENTITY SET ZCOLOR = 9, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1"]),
    Change(
      description: "a change that was not counted",
      statements: ["UPDATE ZTAGENTITY SET ZCOLOR = 9 WHERE Z_PK = 1"],
      findings: ["warning changed-without-version TagEntity/p1"]),
    Change(
      description: "an element of a composite attribute that was not counted",
      statements: ["UPDATE ZLOCATIONENTITY SET ZLATITUDE = 9 WHERE Z_PK = 1"],
      findings: ["warning changed-without-version LocationEntity/p1"]),
    Change(
      description: "a relationship that was not counted",
      statements: ["UPDATE ZITEMENTITY SET ZAUTHOR = 2 WHERE Z_PK = 6"],
      findings: ["warning changed-without-version NoteEntity/p6"]),
    Change(
      description: "a large value of the same size that was not counted",
      statements: [
        "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(300) AS BLOB) WHERE Z_PK = 1"
      ], findings: ["warning changed-without-version AttachmentEntity/p1"]),
    Change(
      description: "positions, owners and derived values, which are not counted",
      statements: [
        "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 4096 WHERE Z_PK = 2",
        "UPDATE ZVISITENTITY SET Z6VISITS = 2, Z_FOK_6VISITS = 4096 WHERE Z_PK = 1",
        // The triggers change the copies and the counts of others.
        "UPDATE ZLOCATIONENTITY SET ZNAME = 'Office', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1",
        "UPDATE ZITEMENTITY SET ZLOCATION = 2, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1",
      ]),
    Change(
      description: "a lower primary key counter",
      statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1 WHERE Z_NAME = 'TagEntity'"],
      findings: [
        // The history records the insertion and the deletion of the last tag.
        "warning change-beyond-counter TagEntity/p9", "warning change-beyond-counter TagEntity/p9",
        "error counter-went-backwards TagEntity",
      ]),
    Change(
      description: "new and deleted objects",
      statements: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 10 WHERE Z_NAME = 'TagEntity'",
        "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME) VALUES (10, 9, 1, 0, 'new')",
        "DELETE FROM Z_4TAGS WHERE Z_9TAGS = 7", "DELETE FROM ZTAGENTITY WHERE Z_PK = 7",
      ]),
  ]

  @Test(arguments: changes, Form.allCases) func changesAreJudged(
    _ change: Change, _ form: Form
  ) throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: change.statements)
    let (older, newer) = try form.sources(samples.sample, changed, samples)
    let verification = try Verification(of: newer, against: older)
    #expect(verification.texts == change.findings, "\(change), \(form)")
    #expect(verification.summary.checks.contains(.against))
    let counts = Dictionary(grouping: verification.findings, by: \.severity).mapValues(\.count)
    #expect(verification.summary.counts == counts)
  }

  @Test func theDetailHasTheCounters() throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: [
      "UPDATE ZLOCATIONENTITY SET Z_OPT = 8 WHERE Z_PK = 3",
      "UPDATE ZTAGENTITY SET ZCOLOR = 9, ZNAME = 'n' WHERE Z_PK = 1",
    ])
    let details = try Verification(of: changed, against: samples.sample).findings.map(\.detail)
    #expect(details == ["it was 9 and is 8", "color, name"])
  }

  /// Visits 1 to 4, and as many more as are asked for.
  private func visits(_ count: Int) -> String {
    """
    WITH RECURSIVE n (k) AS (VALUES (5) UNION ALL SELECT k + 1 FROM n WHERE k < \(count))
    INSERT INTO ZVISITENTITY (Z_PK, Z_ENT, Z_OPT, ZARRIVAL) SELECT k, 10, 1, 0 FROM n
    """
  }

  @Test(
    arguments: [
      // The objects before, the last deleted one, and the number of inserted ones.
      (20, 11, 0, true), (20, 10, 0, false), (18, 10, 0, true), (12, 9, 0, false),
      (20, 20, 0, true), (20, 11, 5, true), (20, 11, 6, false),
    ], Form.allCases)
  func losingMoreThanHalfAndTenIsAWipe(
    _ numbers: (before: Int, lost: Int, new: Int, isWipe: Bool), _ form: Form
  ) throws {
    let samples = try SampleSources()
    let before = try samples.copy(
      named: "Before",
      changing: [
        visits(numbers.before), "UPDATE Z_PRIMARYKEY SET Z_MAX = 50 WHERE Z_NAME = 'VisitEntity'",
      ])
    let after = try samples.copy(
      of: before,
      changing: ["DELETE FROM ZVISITENTITY WHERE Z_PK <= \(numbers.lost)"]
        + (0..<numbers.new).map {
          "INSERT INTO ZVISITENTITY (Z_PK, Z_ENT, Z_OPT, ZARRIVAL) VALUES (\(50 - $0), 10, 1, 0)"
        })
    let (older, newer) = try form.sources(before, after, samples)
    let verification = try Verification(of: newer, against: older)
    #expect(verification.texts == (numbers.isWipe ? ["error silent-wipe VisitEntity"] : []))
    guard numbers.isWipe else { return }
    let rest = numbers.before - numbers.lost + numbers.new
    let others = numbers.new > 0 ? ", \(numbers.new) of them new" : ""
    #expect(
      verification.findings.first?.detail
        == "there were \(numbers.before) objects and are \(rest)\(others)")
  }

  @Test func theFindingsOfTheVerificationComeFirst() throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: [
      "UPDATE ZLOCATIONENTITY SET ZTODOCOUNT = 99 WHERE Z_PK = 1",
      "UPDATE ZTAGENTITY SET ZCOLOR = 9 WHERE Z_PK = 1",
    ])
    let texts = try Verification(of: changed, against: samples.sample).texts
    #expect(
      texts == [
        "error derived-value-mismatch LocationEntity/p1.todoCount",
        "warning changed-without-version TagEntity/p1",
      ])
  }

  @Test func whatIsNotAskedForIsNotCompared() throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: ["UPDATE ZTAGENTITY SET ZCOLOR = 9 WHERE Z_PK = 1"])
    var options = VerificationOptions()
    options.skippedCodes = [.changedWithoutVersion]
    #expect(try Verification(of: changed, against: samples.sample, options: options).texts == [])
    options = VerificationOptions()
    options.checks = [.entities]
    let others = try Verification(of: changed, against: samples.sample, options: options)
    #expect(others.texts == [])
    #expect(!others.summary.checks.contains(.against))
    options.checks = [.against]
    let only = try Verification(of: changed, against: samples.sample, options: options)
    #expect(only.texts == ["warning changed-without-version TagEntity/p1"])
    #expect(only.summary.checks == [.against])
  }
}
