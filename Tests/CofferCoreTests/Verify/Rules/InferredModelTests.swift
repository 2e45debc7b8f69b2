internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Without the model of a store nothing is known of its rules, but some of its relationships.
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

  @Test func oneNoteSaysWhatRan() throws {
    let sample = try SampleCopy(changedBy: "DROP TABLE Z_MODELCACHE")
    var options = VerificationOptions()
    options.checks = [.references, .order, .required]
    let verification = try Verification(of: sample.path, options: options)
    let detail = """
      required: the model is only inferred from the tables; references, order ran for inferred \
      relationships only
      """
    #expect(verification.findings == [Finding(.checkNotRun, detail: detail)])
    #expect(verification.summary.checks == [.references, .order])
    #expect(verification.summary.checksNotRun == [.required])
    options.checks = [.references]
    let details = try Verification(of: sample.path, options: options).findings.map(\.detail)
    #expect(
      details == [
        "references: the model is only inferred from the tables; references ran for inferred "
          + "relationships only"
      ])
  }

  @Test(arguments: [
    (Damage.danglingToOneWithInverse, "error dangling-relationship TodoEntity/p5.location"),
    (.entityColumnMismatch, "error wrong-destination-entity AttachmentEntity/p2.item"),
    (.entityColumnMissing, "error wrong-destination-entity AttachmentEntity/p2.item"),
    (.danglingPair, "error dangling-pair TodoEntity/p3.tags"),
  ])
  func damageOfInferredRelationshipsIsFound(_ damage: Damage, _ finding: String) throws {
    let sample = try SampleCopy()
    try Damage.missingModelCacheTable.apply(to: sample.path)
    var options = VerificationOptions()
    options.skippedCodes = [.checkNotRun]
    options.checks = [.references, .order, .pairs]
    #expect(try Verification(of: sample.path, options: options).texts == [])
    try damage.apply(to: sample.path)
    #expect(try Verification(of: sample.path, options: options).texts == [finding])
    #expect(try Verification.ofArchive(of: sample.path, options: options).texts == [finding])
  }

  @Test func realStoresHaveNoFindingsWithoutTheirModel() throws {
    var options = VerificationOptions()
    options.skippedCodes = [.checkNotRun, .danglingReflexivePair]
    options.checks = [.references, .order, .pairs]
    for store in RealStores.any {
      let folder = try TemporaryDirectory()
      let copy = try RealStores.copy(store, to: folder)
      try GeneratorDatabase(path: copy).run("DROP TABLE IF EXISTS Z_MODELCACHE")
      #expect(try PersistentStore(readingFrom: copy).model.source == .inferred)
      #expect(try Verification(of: copy, options: options).texts == [], "\(store)")
    }
  }
}
