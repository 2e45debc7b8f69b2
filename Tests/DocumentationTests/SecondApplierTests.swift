internal import CofferKit
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The applier in Python, written from the specification alone, applies the changes of this program.
@Suite(.enabled(if: ProcessRunner.find("python3") != nil, "python3 is not installed"))
struct SecondApplierTests {
  private let folder: TemporaryDirectory
  private let first: String
  private let second: String
  private let changes: String

  init() throws {
    folder = try TemporaryDirectory()
    first = folder.file("First.sqlite")
    try SampleStore.write(to: first)
    second = try StoreFiles(first).copy(to: folder.file("Second.sqlite"))
    let database = try GeneratorDatabase(path: second)
    try database.registerCoreDataFunctions()
    for statement in [
      "UPDATE ZTAGENTITY SET ZNAME = ZNAME || ' “é”', Z_OPT = Z_OPT + 1 WHERE Z_PK < 4",
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = zeroblob(2000) WHERE Z_PK = 1",
      "UPDATE ZVISITENTITY SET ZARRIVAL = ZARRIVAL + 0.25 WHERE Z_PK < 3",
      "DELETE FROM Z_4TAGS WHERE rowid = 1", "DELETE FROM ZTAGENTITY WHERE Z_PK = 7",
      "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 9, 1, 'new')",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'TagEntity'",
    ] { try database.run(statement) }
    changes = folder.file("Day.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(from: first, to: second, at: .file(changes))
  }

  @Test func itMakesTheSecondStateOfTheFirst() throws {
    let store = try StoreFiles(first).copy(to: folder.file("Copy.sqlite"))
    let result = try apply(changes, store)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try StoreComparer.differences(store, second) == [])
  }

  @Test func itMakesTheFirstStateOfTheSecond() throws {
    let store = try StoreFiles(second).copy(to: folder.file("Copy.sqlite"))
    let result = try apply(changes, store, "-r")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try StoreComparer.differences(store, first) == [])
  }

  @Test func itRefusesAnotherState() throws {
    let store = try StoreFiles(second).copy(to: folder.file("Copy.sqlite"))
    #expect(try apply(changes, store).status == 1)
    #expect(try StoreComparer.differences(store, second) == [])
  }

  @Test func itCarriesOutChangesWithoutTheValuesBefore() throws {
    var options = ChangesOptions()
    options.isReversible = false
    let increment = folder.file("Increment.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(
      from: first, to: second, at: .file(increment), writing: options)
    let store = try StoreFiles(first).copy(to: folder.file("Copy.sqlite"))
    let result = try apply(increment, store)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try StoreComparer.differences(store, second) == [])
    #expect(try apply(increment, store, "-r").status == 1)
    #expect(try StoreComparer.differences(store, second) == [])
  }

  private func apply(_ arguments: String...) throws -> ProcessResult {
    let python = try #require(ProcessRunner.find("python3"))
    return try ProcessRunner(python, directory: folder.path)
      .run([Repository.root.appendingPathComponent("Examples/apply-changes.py").path] + arguments)
  }
}
