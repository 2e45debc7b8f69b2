internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import Synchronization
internal import TestSupport
internal import Testing

/// An idle store that another program changes while it is read in place.
@Suite(.enabled(if: ProcessRunner.find("python3") != nil, "needs python3"))
struct ChangedWhileReadTests {
  /// Changes a store, once, as soon as something is reported, or something of a phase.
  private final class Intruder: ProgressReporter {
    let path: String
    private let phase: WorkPhase?
    private let isDone = Mutex(false)

    init(_ path: String, in phase: WorkPhase? = nil) { (self.path, self.phase) = (path, phase) }

    var hasCome: Bool { isDone.withLock { $0 } }

    func report(_ progress: WorkProgress) {
      if let phase, progress.phase != phase { return }
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      guard isFirst else { return }
      let program = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.execute("update Z_PRIMARYKEY set Z_MAX = Z_MAX + 1000 where Z_MAX > 0")
        db.commit()
        db.execute("pragma wal_checkpoint(truncate)")
        """
      // Another process, since locks belong to one.
      guard let python = ProcessRunner.find("python3") else { return }
      _ = try? ProcessRunner(python).run(["-c", program, path])
    }
  }

  private func counters(_ path: String) throws -> [[StoreValue]] {
    try SampleCopy.rows(path, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
  }

  @Test func anExportBeginsAgainFromACopy() throws {
    let sample = try SampleCopy()
    let before = try counters(sample.path)
    let intruder = Intruder(sample.path)
    let source = try PersistentStore(readingFrom: sample.path, access: .inPlace)
    let archive = sample.folder.file("Todo.coffer.tar.gz")
    try StoreExporter(progress: intruder).export(source, to: archive)
    #expect(intruder.hasCome)
    let copy = sample.folder.file("Copy.sqlite")
    try StoreImporter().import(archive, to: copy)
    // The result is of one moment: after the change.
    #expect(try counters(copy) == counters(sample.path))
    #expect(try counters(copy) != before)
  }

  @Test func anAnonymizedCopyBeginsAgainFromACopy() async throws {
    let sample = try SampleCopy()
    let intruder = Intruder(sample.path, in: .objects)
    let target = sample.folder.file("Share.sqlite")
    let summary = try await StoreAnonymizer(progress: intruder).anonymize(sample.path, to: target)
    #expect(intruder.hasCome)
    #expect(summary.content.objectCount == 37)
  }

  @Test func whatIsGoneThroughAPipeIsNotSentAgain() throws {
    let sample = try SampleCopy()
    let source = try PersistentStore(readingFrom: sample.path, access: .inPlace)
    let target = try sample.folder.write([], to: "pipe")
    let file = try #require(FileHandle(forWritingAtPath: target))
    let error = #expect(throws: CofferError.self) {
      try StoreExporter(progress: Intruder(sample.path)).export(
        source, to: .fileDescriptor(file.fileDescriptor))
    }
    #expect(error?.code == .storeBusy)
  }
}
