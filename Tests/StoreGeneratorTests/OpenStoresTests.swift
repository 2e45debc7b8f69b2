internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct OpenStoresTests {
  @Test func lastChangesStandInTheLog() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Todo.sqlite")
    let copy = directory.file("Copy.sqlite")
    try SampleStore.write(to: path)
    try OpenStores.copyWithLog(
      of: path, to: copy, changedBy: "UPDATE ZTAGENTITY SET ZNAME = 'changed' WHERE Z_PK = 1")
    let main = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(main.range(of: Data("changed".utf8)) == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")).count > 32)
    #expect(StoreFiles(copy).externalFileNames.count == 2)
    let name = try GeneratorDatabase(path: copy)
      .rows("SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 1")
    #expect(name == [["changed"]])
  }

  @Test func hotJournalIsRolledBack() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Large.sqlite")
    let copy = directory.file("Copy.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 3000
    options.journal = .delete
    try StoreMaker.write(to: path, options)
    try OpenStores.copyWithHotJournal(
      of: path, to: copy, changedBy: "UPDATE ZTAGENTITY SET ZCOLOR = 4711; DELETE FROM ZITEMENTITY")
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) != original)
    #expect(FileManager.default.fileExists(atPath: copy + "-journal"))
    let database = try GeneratorDatabase(path: copy)
    #expect(try database.rows("SELECT 1 FROM ZTAGENTITY WHERE ZCOLOR = 4711").isEmpty)
    #expect(try database.integer("SELECT count(*) FROM ZITEMENTITY") ?? 0 > 1000)
  }
}
