internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import Synchronization
internal import TestSupport
internal import Testing

/// The written entities, and their places.
@Suite struct DataExportOptionTests {
  private func names(_ trial: DataExportTrial, _ options: DataExportOptions) throws -> [String] {
    var options = options
    options.overwriting = true
    return try trial.write(trial.store, options, to: "out").fileNames.sorted()
  }

  @Test func anEntityStandsForThoseBelowIt() throws {
    let trial = try DataExportTrial(SampleCopy())
    #expect(
      try names(trial, DataExportOptions(format: .csv, entityNames: ["LocationEntity"]))
        == ["LocationEntity.csv"])
    #expect(
      try names(trial, DataExportOptions(format: .csv, entityNames: ["TodoEntity"])) == [
        "RecurringTodoEntity.csv", "TodoEntity.assignees.csv", "TodoEntity.csv",
        "TodoEntity.tags.csv",
      ])
    let both = DataExportOptions(
      format: .csv, entityNames: ["TodoEntity"], excludedEntityNames: ["RecurringTodoEntity"])
    #expect(!(try names(trial, both).contains("RecurringTodoEntity.csv")))
    let without = DataExportOptions(format: .csv, excludedEntityNames: ["ItemEntity"])
    let rest = try names(trial, without)
    #expect(!rest.contains("TodoEntity.csv"))
    // One end is still there.
    #expect(rest.contains("TodoEntity.tags.csv"))
    #expect(!rest.contains("NoteEntity.backlinks.csv"))
  }

  @Test func whatIsLeftOutIsNotReferredTo() throws {
    let trial = try DataExportTrial(SampleCopy())
    let options = DataExportOptions(format: .sqlite, excludedEntityNames: ["LocationEntity"])
    let summary = try trial.write(trial.store, options, to: "out")
    #expect(summary.excludedEntityCount == 1)
    #expect(!summary.warnings.contains { $0.code == .danglingReference })
    let rows = try SampleCopy.rows(
      trial.folder.file("out/Todo.sqlite"),
      "SELECT count(*) FROM TodoEntity WHERE location IS NOT NULL")
    #expect(rows != [[.integer(0)]])
  }

  @Test func namesThatThereAreNotAreErrors() throws {
    let trial = try DataExportTrial(SampleCopy())
    let unknown = DataExportOptions(format: .csv, entityNames: ["Nobody"])
    #expect(errorCode { try trial.write(trial.store, unknown, to: "out") } == "no-such-entity")
    let nothing = DataExportOptions(
      format: .csv, entityNames: ["TodoEntity"], excludedEntityNames: ["ItemEntity"])
    #expect(errorCode { try trial.write(trial.store, nothing, to: "out") } == "nothing-chosen")
    #expect(!FileManager.default.fileExists(atPath: trial.folder.file("out")))
  }

  @Test func onlyAnEarlierOutputIsReplaced() throws {
    let trial = try DataExportTrial(SampleCopy())
    var options = DataExportOptions(format: .csv)
    try trial.write(trial.store, options, to: "out")
    #expect(errorCode { try trial.write(trial.store, options, to: "out") } == "output-exists")
    options = DataExportOptions(format: .ndjson, overwriting: true)
    try trial.write(trial.store, options, to: "out")
    let files = try trial.files("out")
    #expect(files["TagEntity.csv"] == nil)
    #expect(files["TagEntity.ndjson"] != nil)
    _ = try trial.folder.write(Array("mine".utf8), to: "out/External/notes.txt")
    #expect(errorCode { try trial.write(trial.store, options, to: "out") } == "refused")
    #expect(try trial.files("out").count == files.count + 1)
    _ = try trial.folder.write([], to: "file")
    #expect(errorCode { try trial.write(trial.store, options, to: "file") } == "refused")
    #expect(errorCode { try trial.write(trial.store, options, to: "no/out") } == "write-failed")
  }

  /// Cancels the task that reports.
  private struct Canceller: ProgressReporter {
    func report(_ progress: WorkProgress) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
  }

  @Test(arguments: DataFormat.allCases)
  func aCancelledOutputLeavesNothing(_ format: DataFormat) async throws {
    let trial = try DataExportTrial(SampleCopy())
    let before = try trial.folder.contents()
    let task = Task {
      try trial.write(
        trial.store, DataExportOptions(format: format), to: "out", progress: Canceller())
    }
    let result = await task.result
    #expect(throws: (any Error).self) { try result.get() }
    #expect(try trial.folder.contents() == before)
  }

  @Test func everyEntityIsAPhase() throws {
    let trial = try DataExportTrial(SampleCopy())
    let recorder = ProgressRecorder()
    try trial.write(trial.store, DataExportOptions(format: .csv), to: "out", progress: recorder)
    #expect(recorder.phases.isSuperset(of: [.objects, .externalData]))
  }
}
