internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Objects on pages that no table refers to are found unchanged and kept separate.
@Suite struct RecoveredObjectsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func objectsOfATableWithoutRootAreFoundApart() throws {
    let trial = try RescueTrial(of: RescueTwin.path()) { map in
      map.pages(of: "ZITEMENTITY", .tableInterior).filter(\.isRoot).map { .zeros($0.number) }
    }
    #expect(trial.damage.count == 1)
    #expect(trial.summary.lostTables.first?.readCount == 0)
    let all = try RescueTrial.lines(ofObjectsOf: trial.twin)
    let deleted = try RescueTrial.lines(ofObjectsOf: RescueTwin.before())
    for entity in ["NoteEntity", "TodoEntity", "RecurringTodoEntity"] {
      let found = try #require(trial.recovered[entity])
      #expect(try #require(all[entity]).isSubset(of: found), "some \(entity) is missing")
      let known = try #require(all[entity]).union(deleted[entity] ?? [])
      #expect(found.isSubset(of: known), "some \(entity) is invented")
    }
    let counts = trial.summary.recovered.map { ($0.count, $0.freeCount) }
    #expect(counts.reduce(0) { $0 + $1.0 } == trial.recovered.values.reduce(0) { $0 + $1.count })
    #expect(counts.allSatisfy { $0.1 < $0.0 })
    #expect(try SalvagedStore.rows(of: "ZITEMENTITY", in: trial.new).isEmpty)
  }

  @Test func deletedObjectsAreMarkedAndStayOut() throws {
    let trial = try RescueTrial(of: RescueTwin.path()) { _ in [] }
    #expect(trial.summary.isWhole)
    #expect(!trial.summary.recovered.isEmpty)
    #expect(trial.summary.recovered.allSatisfy { $0.freeCount == $0.count })
    let before = try RescueTrial.lines(ofObjectsOf: RescueTwin.before())
    for (entity, lines) in trial.recovered {
      #expect(lines.isSubset(of: try #require(before[entity])))
      #expect(
        lines.allSatisfy { RescueTrial.key($0).map { RescueTwin.deletedKeys.contains($0) } == true }
      )
    }
    #expect(try StoreComparer.differences(trial.twin, trial.new) == [])
  }

  @Test func deletedObjectsAreFoundWithoutTheNumbersOfTheEntities() throws {
    let sound = try RescueTrial(of: RescueTwin.path()) { _ in [] }
    let trial = try RescueTrial(of: RescueTwin.path()) { map in
      map.pages.filter { $0.object == "Z_PRIMARYKEY" }.map { .zeros($0.number) }
    }
    #expect(!trial.damage.isEmpty && !sound.recovered.isEmpty)
    #expect(trial.recovered == sound.recovered)
  }

  /// In the main file, the pages with the deleted rows still belong to their table.
  @Test func pagesOfTheLogCount() throws {
    let (live, store) = (folder.file("Live.sqlite"), folder.file("Copy.sqlite"))
    try FileManager.default.copyItem(atPath: RescueTwin.before(), toPath: live)
    let database = try GeneratorDatabase(path: live)
    try database.registerCoreDataFunctions()
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF;
      DELETE FROM ZITEMENTITY WHERE Z_PK BETWEEN 40 AND 120
      """)
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: live + ending, toPath: store + ending)
    }
    withExtendedLifetime(database) {}
    let (summary, _) = try RescueTrial.rescue(
      store, to: folder.file("New.sqlite"), folder.file("Found"))
    #expect(!summary.recovered.isEmpty)
    #expect(summary.recovered.allSatisfy { $0.freeCount == $0.count })
  }

  @Test func nothingFoundMakesNoFolder() throws {
    let (new, found) = (folder.file("New.sqlite"), folder.file("Found"))
    let (summary, _) = try RescueTrial.rescue(RescueTwin.before(), to: new, found)
    #expect(summary.recovered == [])
    #expect(!FileManager.default.fileExists(atPath: found))
  }

  @Test func anotherFolderIsNotReplaced() throws {
    let (new, found) = (folder.file("New.sqlite"), folder.file("Found"))
    try FileManager.default.createDirectory(
      atPath: found, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: found + "/mine"))
    for overwriting in [false, true] {
      var rescuer = StoreRescuer()
      (rescuer.options.recoveredFolder, rescuer.options.overwriting) = (found, overwriting)
      let error = #expect(throws: CofferError.self) {
        try rescuer.rescue(RescueTwin.path(), to: new)
      }
      #expect(error?.code == (overwriting ? .refused : .outputExists))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Found"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: found) == ["mine"])
  }
}
