internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The laws of changes, on random edits, as a comparer sees them that shares no code with the product.
@Suite struct ChangesLawTests {
  static let seeds = {
    let first: Int = Effort.seed()
    return first..<first + Effort.tries(20)
  }()

  @Test func changesLeadFromOneStateToTheOtherAndBack() throws {
    for seed in Self.seeds {
      let trial = try ChangesTrial()
      let first = try trial.generatedStore(seed: UInt64(seed))
      try trial.requireLaws(of: first, seed: UInt64(seed), edits: 1 + seed % 40)
    }
  }

  @Test func equalStatesHaveNoChanges() throws {
    let trial = try ChangesTrial()
    let store = try trial.generatedStore(seed: 3)
    let summary = try trial.write(from: store, to: store, "None")
    #expect(summary.differences.isEqual)
  }

  @Test func rowsWithoutANumberFollowTheSameLaws() throws {
    let trial = try ChangesTrial()
    let states = ["First", "Second", "Third"].map { trial.directory.file("\($0).sqlite") }
    let edits = [
      "CREATE TABLE OWN (k TEXT PRIMARY KEY, v) WITHOUT ROWID; "
        + "INSERT INTO OWN VALUES ('a', 1), ('b', 2), ('c', 3)",
      "UPDATE OWN SET v = 'z' WHERE k = 'a'; DELETE FROM OWN WHERE k = 'b'; "
        + "INSERT INTO OWN VALUES ('', NULL)",
      "UPDATE OWN SET v = 1 WHERE k = 'a'; INSERT INTO OWN VALUES ('b', 2), ('d', 4)",
    ]
    try SampleStore.write(to: states[0])
    for (number, edit) in edits.enumerated() {
      if number > 0 { _ = try StoreFiles(states[number - 1]).copy(to: states[number]) }
      try GeneratorDatabase(path: states[number]).run(edit)
    }
    try trial.write(from: states[0], to: states[1], "A")
    try trial.write(from: states[1], to: states[2], "B")
    try trial.requireLaws(of: states, [trial.file("A"), trial.file("B")], "a table of the app")
    let joined = try StoreChanges.concatenate(
      [trial.file("A"), trial.file("B")], to: .file(trial.file("Joined")))
    #expect(joined.differences.tables.map { [$0.added, $0.removed, $0.changed] } == [[2, 0, 0]])
  }
}
