internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The comparer that all round trips rest on sees every kind of difference.
@Suite struct RoundTripComparerTests {
  @Test func aCopyIsEqual() throws {
    let sample = try SampleCopy()
    let copy = try StoreFiles(sample.path).copy(to: sample.folder.file("Copy.sqlite"))
    #expect(try StoreComparer.differences(sample.path, copy) == [])
  }

  /// A change of a store by SQL, and the report of the comparer.
  struct Mutation: Sendable, CustomStringConvertible {
    let description: String
    let sql: String
    let told: String

    init(_ description: String, _ sql: String, _ told: String) {
      self.description = description
      self.sql = sql
      self.told = told
    }
  }

  static let mutations = [
    Mutation("table added", "CREATE TABLE extra (a)", "schema: only in the second"),
    Mutation("table gone", "DROP TABLE ZVISITENTITY", "schema: only in the first"),
    Mutation("index gone", "DROP INDEX ZITEMENTITY_ZPARENT_INDEX", "schema: only in the first"),
    Mutation(
      "trigger gone", "DROP TRIGGER Z_DA_ZITEMENTITY_LocationEntity_todoCount_PARAMETER_DELETE",
      "schema: only in the first"),
    Mutation("view added", "CREATE VIEW v AS SELECT 1", "schema: only in the second"),
    Mutation(
      "column added", "ALTER TABLE ZTAGENTITY ADD COLUMN ZNEW INTEGER", "schema: only in the first"),
    Mutation("row gone", "DELETE FROM ZVISITENTITY WHERE Z_PK = 4", "row 3 is only in the first"),
    Mutation(
      "row added", "INSERT INTO ZVISITENTITY (Z_PK, Z_ENT, Z_OPT) VALUES (99, 10, 1)",
      "row 4 is only in the second"),
    Mutation(
      "integer changed", "UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1 WHERE Z_PK = 1",
      "ZCOLOR: another integer"),
    Mutation(
      "last bit of a real",
      "UPDATE ZLOCATIONENTITY SET ZRADIUS = 50.000000000000007 WHERE Z_PK = 1",
      "ZRADIUS: another bit pattern"),
    Mutation(
      "text in other case", "UPDATE ZPERSONENTITY SET ZNAME = 'ada Lovelace' WHERE Z_PK = 1",
      "ZNAME: other bytes"),
    Mutation(
      "text behind a NUL",
      "UPDATE ZPERSONENTITY SET ZNAME = CAST('Eve' || x'00' || 'Nul!' AS TEXT) WHERE Z_PK = 6",
      "ZNAME: other bytes"),
    Mutation(
      "blob of another length", "UPDATE ZPERSONENTITY SET ZAVATAR = x'000102ff00' WHERE Z_PK = 6",
      "ZAVATAR: 4 bytes became 5"),
    Mutation(
      "blob for text", "UPDATE ZPERSONENTITY SET ZEMAIL = CAST(ZEMAIL AS BLOB) WHERE Z_PK = 1",
      "ZEMAIL: storage class text became blob"),
    Mutation(
      "empty blob for NULL", "UPDATE ZPERSONENTITY SET ZAVATAR = x'' WHERE Z_PK = 1",
      "ZAVATAR: storage class null became blob"),
    Mutation(
      "pair gone", "DELETE FROM Z_4TAGS WHERE Z_4TODOS = 1 AND Z_9TAGS = 5", "Z_4TAGS: row"),
    Mutation("rowid changed", "UPDATE Z_MODELCACHE SET rowid = 7", "rowid: another integer"),
    Mutation("user version", "PRAGMA user_version = 5", "user_version"),
    Mutation("application id", "PRAGMA application_id = 5", "application_id"),
    Mutation(
      "page size",
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;"
        + "PRAGMA journal_mode = WAL", "page_size"),
    Mutation("auto-vacuum", "PRAGMA auto_vacuum = 1", "auto_vacuum"),
    Mutation("journal mode", "PRAGMA journal_mode = DELETE", "journal_mode"),
  ]

  @Test(arguments: mutations) func aChangeBySQLIsSeen(_ mutation: Mutation) throws {
    let sample = try SampleCopy()
    let other = try SampleCopy(changedBy: mutation.sql)
    let differences = try StoreComparer.differences(sample.path, other.path)
    #expect(differences.contains { $0.contains(mutation.told) }, "\(differences)")
  }

  @Test func anotherEncodingIsSeen() throws {
    let folder = try TemporaryDirectory()
    for (name, encoding) in [("a", "UTF-8"), ("b", "UTF-16le")] {
      try GeneratorDatabase(path: folder.file(name)).run(
        "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('ä')")
    }
    let differences = try StoreComparer.differences(folder.file("a"), folder.file("b"))
    #expect(differences.count == 1)
    #expect(differences.first?.hasPrefix("encoding") == true)
  }

  @Test func changesInTheLogAreSeen() throws {
    let sample = try SampleCopy()
    let copy = sample.folder.file("Copy.sqlite")
    let original = try StoreFiles(sample.path).copy(to: sample.folder.file("Original.sqlite"))
    try OpenStores.copyWithLog(
      of: sample.path, to: copy, changedBy: "UPDATE ZTAGENTITY SET ZCOLOR = 5 WHERE Z_PK = 1")
    let differences = try StoreComparer.differences(original, copy)
    #expect(differences == ["ZTAGENTITY: row 0, ZCOLOR: another integer"])
  }

  enum FileChange: CaseIterable { case gone, added, changed, linked }

  @Test(arguments: FileChange.allCases) func aChangeOfExternalFilesIsSeen(_ change: FileChange)
    throws
  {
    let (sample, other) = (try SampleCopy(), try SampleCopy())
    let files = StoreFiles(other.path)
    let name = try #require(files.externalFileNames.first)
    let path = "\(files.externalDataFolder)/\(name)"
    switch change {
    case .gone: try FileManager.default.removeItem(atPath: path)
    case .added: try Data([1]).write(to: URL(fileURLWithPath: path + "x"))
    case .changed:
      var data = try Data(contentsOf: URL(fileURLWithPath: path))
      data[data.startIndex] ^= 1
      try data.write(to: URL(fileURLWithPath: path))
    case .linked:
      try FileManager.default.moveItem(atPath: path, toPath: other.folder.file("elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: other.folder.file("elsewhere"))
    }
    let differences = try StoreComparer.differences(sample.path, other.path)
    #expect(differences.count == 1)
    #expect(differences.first?.hasPrefix("file _EXTERNAL_DATA/\(name)") == true)
  }
}
