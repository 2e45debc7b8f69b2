internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A store that lacks some of Core Data's own tables is verified as far as it goes.
@Suite struct IncompleteStoreTests {
  @Test func rowsAreCheckedWithoutNumbering() throws {
    let sample = try SampleCopy(
      changedBy: "DROP TABLE Z_PRIMARYKEY; UPDATE ZITEMENTITY SET Z_ENT = 6 WHERE Z_PK = 9")
    let verification = try Verification(of: sample.path)
    #expect(
      verification.texts == [
        "error foreign-entity ItemEntity/p9", "warning check-not-run", "error missing-numbering",
      ])
    #expect(verification.summary.checksNotRun == [.counters])
    #expect(verification.summary.objectCount == 37)
  }

  @Test func aTableThatLacksAColumnCountsAsMissing() throws {
    let sample = try SampleCopy(
      changedBy: """
        ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_SUPER; ALTER TABLE Z_METADATA DROP COLUMN Z_UUID;
        ALTER TABLE Z_MODELCACHE RENAME COLUMN Z_CONTENT TO CONTENT
        """)
    let texts = try Verification(of: sample.path).texts
    #expect(texts.contains("error missing-numbering"))
    #expect(texts.contains("error missing-metadata"))
  }

  @Test func withoutNumberingAndModelTheTablesStillCount() throws {
    let sample = try SampleCopy(changedBy: "DROP TABLE Z_PRIMARYKEY; DROP TABLE Z_MODELCACHE")
    let texts = try Verification(of: sample.path).texts
    #expect(texts.contains("error missing-numbering"))
    #expect(texts.contains("warning missing-model-cache"))
  }

  @Test func aDatabaseWithoutBothTablesIsNoStore() throws {
    let sample = try SampleCopy(changedBy: "DROP TABLE Z_PRIMARYKEY; DROP TABLE Z_METADATA")
    #expect(errorCode { _ = try Verification(of: sample.path) } == "not-a-core-data-store")
  }

  @Test func otherCommandsStillRefuseIt() throws {
    let sample = try SampleCopy(changedBy: "DROP TABLE Z_PRIMARYKEY")
    #expect(
      errorCode { _ = try PersistentStore(readingFrom: sample.path) } == "damaged-store")
  }
}
