internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Histories of older frameworks, and none.
@Suite struct OldHistoryTests {
  private static func texts(_ sql: String) throws -> [String] {
    let sample = try SampleCopy(changedBy: sql)
    var options = VerificationOptions()
    options.checks = [.counters, .versions, .history]
    let found = try Verification(of: sample.path, options: options).texts
    #expect(try Verification.ofArchive(of: sample.path, options: options).texts == found)
    return found
  }

  @Test func aStoreWithoutHistoryHasNothingToCheck() throws {
    let sql = "DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING;"
    #expect(try Self.texts(sql) == [])
    #expect(try Self.texts(sql + "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [])
  }

  @Test func aHistoryWithoutTextsHasNoneToCheck() throws {
    let columns = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
    let sql = columns.map {
      "DROP INDEX ATRANSACTION_Z\($0)TS_INDEX; ALTER TABLE ATRANSACTION DROP COLUMN Z\($0)TS;"
    }
    let texts = "DROP TABLE ATRANSACTIONSTRING; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003"
    #expect(try Self.texts(sql.joined() + texts) == [])
  }

  @Test func changesWithoutTheirColumnsAreNotChecked() throws {
    let sql = "ALTER TABLE ACHANGE DROP COLUMN ZENTITYPK; UPDATE ACHANGE SET ZENTITY = 77"
    #expect(try Self.texts(sql) == [])
  }

  @Test func changesWithoutATableOfTransactionsAreReported() throws {
    let sql = "DROP TABLE ATRANSACTION; DELETE FROM ACHANGE WHERE Z_PK > 2"
    let expected = [1, 2].map { "error change-without-transaction TodoEntity/p\($0)" }
    #expect(try Self.texts(sql) == expected)
  }

  @Test func changesOfSystemEntitiesAreOfKnownEntities() throws {
    let sql = "UPDATE ACHANGE SET ZENTITY = 16001 WHERE Z_PK = 1"
    #expect(try Self.texts(sql) == [])
  }
}
