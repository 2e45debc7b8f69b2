internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A value that SQLite converts when it is inserted is reported by the export and the import.
@Suite struct ConvertedValueTests {
  /// A store with values that the types of their columns do not keep.
  private func sample(_ sql: String) throws -> SampleCopy {
    let sample = try SampleCopy(journal: .delete)
    let types = ["INTEGER", "FLOAT", "TIMESTAMP", "VARCHAR"]
    let tables = "type = 'table' AND name IN ('ZLOCATIONENTITY', 'ZPERSONENTITY')"
    let statements = try SampleCopy.rows(
      sample.path, "SELECT name, sql FROM sqlite_master WHERE \(tables)")
    let blobs = types.reduce("sql") { "replace(\($0), ' \($1),', ' BLOB,')" }
    try sample.change(
      "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = \(blobs) WHERE \(tables)")
    try sample.change(sql)
    for row in statements {
      let database = try GeneratorDatabase(path: sample.path)
      try database.run("PRAGMA writable_schema = 1")
      try database.run("UPDATE sqlite_master SET sql = ?2 WHERE name = ?1", row)
    }
    return sample
  }

  private func places(_ findings: [Finding]) -> [String] {
    findings.filter { $0.code == .convertedValue }.map { "\($0.place): \($0.detail)" }.sorted()
  }

  @Test func convertedValuesAreReported() throws {
    let sample = try sample(
      """
      UPDATE ZLOCATIONENTITY SET ZLONGITUDE = '12.50', ZNAME = 7 WHERE Z_PK = 1;
      UPDATE ZLOCATIONENTITY SET ZLATITUDE = 'north', ZTODOCOUNT = 3.0 WHERE Z_PK = 1
      """)
    let archive = sample.folder.file("a.coffer.tar.gz")
    let restored = sample.folder.file("Restored.sqlite")
    let exported = try StoreExporter().export(storeAt: sample.path, to: archive)
    let imported = try StoreImporter().import(archive, to: restored)
    let expected = [
      "LocationEntity/p1.name: an integer",
      "LocationEntity/p1.place.longitude: a text that is a number",
      "LocationEntity/p1.todoCount: a floating point number",
    ]
    #expect(places(exported.findings) == expected)
    #expect(places(imported.findings) == expected)
    let types =
      "SELECT typeof(ZNAME), typeof(ZLONGITUDE), typeof(ZTODOCOUNT), typeof(ZLATITUDE) "
      + "FROM ZLOCATIONENTITY WHERE Z_PK = 1"
    #expect(
      try SampleCopy.rows(sample.path, types)
        == [[.string("integer"), .string("text"), .string("real"), .string("text")]])
    #expect(
      try SampleCopy.rows(restored, types)
        == [[.string("text"), .string("real"), .string("integer"), .string("text")]])
  }

  /// The line of such a date is that of another one, so only the import sees its column.
  @Test func aWholeDateInAFloatingPointNumberIsReported() throws {
    let sample = try sample("UPDATE ZPERSONENTITY SET ZBIRTHDAY = 1000.0 WHERE Z_PK = 1")
    let archive = sample.folder.file("a.coffer.tar.gz")
    _ = try StoreExporter().export(storeAt: sample.path, to: archive)
    let imported = try StoreImporter().import(
      archive, to: sample.folder.file("Restored.sqlite"))
    #expect(places(imported.findings) == ["PersonEntity/p1.birthday: a floating point number"])
  }

  @Test func theSampleHasNone() throws {
    let sample = try ExportedSample()
    let imported = try StoreImporter().import(
      sample.archive, to: sample.folder.file("Restored.sqlite"))
    #expect(places(imported.findings) == [])
  }
}
