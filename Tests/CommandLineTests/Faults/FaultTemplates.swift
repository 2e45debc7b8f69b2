internal import Foundation
internal import TestSupport

/// The files that runs with faults and runs that are killed work on, made once and only read
/// afterwards.
final class FaultTemplates: Sendable {
  private let directory: TemporaryDirectory
  /// The folder of the sources.
  var sources: String { directory.file("in") }
  /// The sources as they were made.
  let state: FolderState

  /// The path of a folder that a target begins as.
  func before(_ name: String) -> String { directory.file(name) }

  /// Small templates, made by the first who asks.
  static func small() throws -> FaultTemplates { try made.get() }

  private static let made = Result { try FaultTemplates(objectCount: nil) }

  /// Makes templates.
  ///
  /// - Parameter objectCount: the size of the stores; nil for the sample store.
  /// - Throws: when a store or an archive cannot be made.
  init(objectCount: Int?) throws {
    directory = try objectCount == nil ? .untilExit() : TemporaryDirectory()
    let files = FileManager.default
    for name in [
      "in", "in/Tables", "old-archive", "old-store", "broken-store", "repaired-store", "made",
    ] {
      try files.createDirectory(
        atPath: directory.file(name), withIntermediateDirectories: false)
    }
    try Self.makeSources(directory, objectCount)
    try Self.makeTargets(directory, objectCount ?? 150)
    state = try FolderState(of: directory.file("in"))
  }

  /// Makes a small store in WAL mode without companions, one with them, one in DELETE mode, and
  /// archives of the first: as exported, repacked, and of a changed store.
  private static func makeSources(_ directory: TemporaryDirectory, _ objectCount: Int?) throws {
    let runner = ProcessRunner(try BuiltProgram.path(), directory: directory.path)
    try makeStore(directory.file("in/Todo.sqlite"), objectCount)
    try makeStore(directory.file("in/Rollback.sqlite"), objectCount, journal: .delete)
    // A store that was written within the last minute is copied, however long the tests take.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 86_400)],
      ofItemAtPath: directory.file("in/Rollback.sqlite"))
    try makeStore(directory.file("made/Changed.sqlite"), objectCount)
    try OpenStores.copyWithLog(
      of: directory.file("made/Changed.sqlite"), to: directory.file("in/Live.sqlite"),
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1", hasIndex: true)
    _ = try runner.run(["export", "in/Todo.sqlite", "in/archive"])
    _ = try runner.run(["export", "in/Live.sqlite", "in/changed"])
    let script = "mkdir made/u && tar xzf in/archive -C made/u && tar czf in/repacked -C made/u ."
    _ = try ProcessRunner("/bin/sh", directory: directory.path).run(["-c", script])
  }

  private static func makeStore(
    _ path: String, _ objectCount: Int?, journal: SampleStoreBuilder.Journal = .wal
  ) throws {
    guard let objectCount else { return try SampleStore.write(to: path, journal: journal) }
    var options = GeneratorOptions()
    options.objectCount = objectCount
    options.externalCount = 20
    options.journal = journal
    try StoreMaker.write(to: path, options)
  }

  /// Makes the targets that are to be replaced: an archive; a store with companions, the latest
  /// change in its log alone, and with external files.
  private static func makeTargets(_ directory: TemporaryDirectory, _ objectCount: Int) throws {
    var options = GeneratorOptions()
    options.objectCount = objectCount
    options.externalCount = 3
    options.seed = 9
    let path = directory.file("made/Old.sqlite")
    try StoreMaker.write(to: path, options)
    // A history would contain the time of each run.
    try GeneratorDatabase(path: path).run(
      "DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING; "
        + "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    try OpenStores.copyWithLog(
      of: path, to: directory.file("old-store/R.sqlite"),
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1", hasIndex: true)
    // Nothing refers to it.
    let orphan = "AAAAAAAA-0000-4000-8000-000000000002"
    let folder = StoreFiles(directory.file("old-store/R.sqlite")).externalDataFolder
    try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(orphan)"))
    let runner = ProcessRunner(try BuiltProgram.path(), directory: directory.path)
    _ = try runner.run(["export", "made/Old.sqlite", "old-archive/a"])
    _ = try StoreFiles(directory.file("old-store/R.sqlite")).copy(
      to: directory.file("in/Old.sqlite"))
    try makeTables(directory, objectCount)
    try makeChanges(directory, runner)
    try makeRepaired(directory, runner)
  }

  /// Makes tables that the old store matches: all its tags in another color, and new ones.
  private static func makeTables(_ directory: TemporaryDirectory, _ objectCount: Int) throws {
    let names = try GeneratorDatabase(path: directory.file("made/Old.sqlite")).rows(
      "SELECT ZNAME FROM ZTAGENTITY ORDER BY Z_PK")
    var lines = ["name,color"]
    for case .text(let name)? in names.map(\.first) {
      let text = String(decoding: name, as: UTF8.self).replacingOccurrences(of: "\"", with: "\"\"")
      lines.append("\"\(text)\",77")
    }
    lines += (0..<objectCount).map { "new \($0),\($0 % 9)" }
    _ = try directory.write(
      (lines.joined(separator: "\n") + "\n").utf8, to: "in/Tables/TagEntity.csv")
  }

  /// The codes of defects that are repaired although that loses something.
  static let repairedCodes = ["dangling-relationship", "dangling-pair", "empty-external-data"]

  /// Makes a store with defects, a store without, and the changes that undo the repair.
  private static func makeRepaired(
    _ directory: TemporaryDirectory, _ runner: ProcessRunner
  ) throws {
    let broken = try StoreFiles(directory.file("old-store/R.sqlite")).copy(
      to: directory.file("broken-store/R.sqlite"))
    try GeneratorDatabase(path: broken).run(
      """
      UPDATE ZITEMENTITY SET ZAUTHOR = 100000 + Z_PK WHERE ZAUTHOR IS NOT NULL AND Z_PK % 5 = 0;
      UPDATE ZITEMENTITY SET Z_OPT = NULL WHERE Z_PK % 7 = 0;
      INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, 99999);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'ItemEntity'
      """)
    let files = StoreFiles(broken)
    try Data().write(
      to: URL(fileURLWithPath: "\(files.externalDataFolder)/\(files.externalFileNames[0])"))
    let repaired = try files.copy(to: directory.file("repaired-store/R.sqlite"))
    let result = try runner.run(
      ["repair", repaired, "--apply", "--undo", "in/repair-undo"]
        + repairedCodes.flatMap { ["--fix", $0] })
    guard result.status == 0 else { throw GeneratorError(result.output + result.errorOutput) }
  }

  /// Makes the store that the old one is to become: as a store, as an archive and as changes.
  private static func makeChanges(
    _ directory: TemporaryDirectory, _ runner: ProcessRunner
  ) throws {
    let changed = try StoreFiles(directory.file("old-store/R.sqlite")).copy(
      to: directory.file("in/Other.sqlite"))
    let database = try GeneratorDatabase(path: changed)
    try database.run("UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK")
    try database.run("DELETE FROM ZVISITENTITY WHERE Z_PK = 1")
    let external = StoreFiles(changed).externalDataFolder
    let name = StoreFiles(changed).externalFileNames[0]
    let new = "AAAAAAAA-0000-4000-8000-000000000001"
    try FileManager.default.removeItem(atPath: "\(external)/\(name)")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(external)/\(new)"))
    try database.run(
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = ? WHERE ZCONTENT = ?",
      [.external(new), .external(name)])
    for arguments in [
      ["diff", "old-store/R.sqlite", "in/Other.sqlite", "--output", "in/changes"],
      ["export", "in/Other.sqlite", "in/other"],
    ] { _ = try runner.run(arguments) }
  }
}
