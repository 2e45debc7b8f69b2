internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct SampleStoreTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("Todo.sqlite")
    try SampleStore.write(to: path)
  }

  @Test func isAnIntactDatabase() throws {
    let database = try GeneratorDatabase(path: path)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA journal_mode") == [["wal"]])
    #expect(try database.rows("PRAGMA auto_vacuum") == [[2]])
    #expect(try database.rows("PRAGMA page_size") == [[4096]])
  }

  @Test func isTheSameEachTime() throws {
    let again = directory.file("Again.sqlite")
    try SampleStore.build(at: again, .wal)
    #expect(try content(path) == content(again))
  }

  @Test func isTheFixture() throws {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/Stores/Todo.sqlite").path
    let copy = try StoreFiles(fixture).copy(to: directory.file("Fixture.sqlite"))
    // Another zlib may compress the model in another way; its content is another test's subject.
    var (expected, found) = (try content(copy), try content(path))
    expected["Z_MODELCACHE"] = nil
    found["Z_MODELCACHE"] = nil
    #expect(found == expected)
    let names = StoreFiles(path).externalFileNames
    #expect(StoreFiles(fixture).externalFileNames == names)
    for name in names {
      let made = FileManager.default.contents(
        atPath: "\(StoreFiles(path).externalDataFolder)/\(name)")
      #expect(
        FileManager.default.contents(atPath: "\(StoreFiles(fixture).externalDataFolder)/\(name)")
          == made)
    }
  }

  @Test func modelCacheHoldsTheModel() throws {
    let database = try GeneratorDatabase(path: path)
    let row = try database.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first
    guard case .blob(let bytes)? = row else {
      Issue.record("no blob")
      return
    }
    #expect(try ModelCacheReader.read(compressed: bytes) == TodoModel.model)
  }

  @Test func triggersCallFunctionsThatOnlyCoreDataHas() throws {
    let database = try GeneratorDatabase(path: path)
    #expect(throws: GeneratorError.self) {
      try database.run("UPDATE ZITEMENTITY SET ZLOCATION = 1 WHERE Z_PK = 9")
    }
    try database.registerCoreDataFunctions()
    try database.run("UPDATE ZITEMENTITY SET ZLOCATION = 1 WHERE Z_PK = 9")
    // The trigger has counted what the builder had counted before.
    #expect(try database.integer("SELECT ZTODOCOUNT FROM ZLOCATIONENTITY WHERE Z_PK = 1") == 4)
  }

  @Test func holdsEveryKindOfRelationship() throws {
    let database = try GeneratorDatabase(path: path)
    func keys(_ sql: String) throws -> [StoreValue] { try database.rows(sql).flatMap { $0 } }
    #expect(
      try keys("SELECT Z_PK FROM ZATTACHMENTENTITY WHERE ZITEM = 1 ORDER BY Z_FOK_ITEM")
        == [2, 4, 1])
    #expect(try keys("SELECT Z2_ITEM FROM ZATTACHMENTENTITY ORDER BY Z_PK") == [4, 4, 3, 4, .null])
    #expect(
      try keys("SELECT Z_PK FROM ZVISITENTITY WHERE Z6VISITS = 1 ORDER BY Z_FOK_6VISITS")
        == [3, 1, 2])
    #expect(
      try keys("SELECT Z_7ASSIGNEES FROM Z_4ASSIGNEES WHERE Z_4ASSIGNMENTS = 1 ORDER BY 1")
        == [1, 2])
    #expect(try keys("SELECT Z4_PARENT FROM ZITEMENTITY WHERE Z_PK IN (4, 5)") == [4, 5])
  }

  // Needs the oracles, which are not part of the repository.
  @Test(.enabled(if: Oracle.isAvailable)) func oracleFindsTheSchemaOfTheModel() throws {
    let result = try Oracle.run("ddl.py", ["-v", path])
    #expect(result.status == 0)
    #expect(
      result.output.contains("t_ok=11 t_cols=0 t_set=0 t_bad=0 i_ok=17 i_bad=0 missing=0 extra=0"))
  }

  /// Every row of every table, and the statements that made the schema.
  private func content(_ path: String) throws -> [String: [[StoreValue]]] {
    let database = try GeneratorDatabase(path: path)
    var content = ["": try database.rows("SELECT type, name, sql FROM sqlite_master")]
    for table in content[""] ?? [] where table[0] == "table" {
      guard case .text(let bytes) = table[1] else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      content[name] = try database.rows("SELECT rowid, * FROM \(name) ORDER BY rowid")
    }
    return content
  }
}
