internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever pages of a store are damaged, a rescue invents nothing, and finds everything that SQLite's own
/// `.recover` finds.
@Suite struct RescueCampaignTests {
  private static let count = Effort.tries(10)
  private static let first: UInt64 = Effort.seed(0)

  /// What became of the objects of all damaged stores.
  private struct Figures {
    var stores = 0
    /// The objects of the sound store.
    var objects = 0
    /// The objects in the new store, and the recovered ones: lost and deleted objects.
    var (rescued, lostApart, deletedApart) = (0, 0, 0)
    /// Those that `.recover` finds: lost and deleted ones among them.
    var (recovered, deletedRecovered) = (0, 0)
  }

  @Test func everyDifferenceIsReported() throws {
    try forEachSeed { trial, seed in
      let problems = try RescueOracle(trial: trial).problems()
      #expect(problems == [], "seed \(seed): \(trial.damage)")
      let known = try RescueTrial.lines(ofObjectsOf: RescueTwin.before())
      let twin = try RescueTrial.lines(ofObjectsOf: RescueTwin.path())
      let incomplete = trial.summary.recovered.filter { $0.incompleteCount > 0 }.map(\.entityName)
      for (entity, lines) in trial.recovered where !incomplete.contains(Name(entity)) {
        let sound = (known[entity] ?? []).union(twin[entity] ?? [])
        let keys = Set(sound.compactMap(RescueTrial.key))
        #expect(
          lines.compactMap(RescueTrial.key).allSatisfy(keys.contains),
          "seed \(seed): an object of \(entity) was invented")
      }
    }
  }

  @Test(.enabled(if: RecoveredDatabase.isPossible, "the sqlite3 shell has no .recover"))
  func whatSQLiteRecoversIsFound() throws {
    var figures = Figures()
    let live = try ObjectRows(of: RescueTwin.path())
    let sound = try live.merging(ObjectRows(of: RescueTwin.before()))
    try forEachSeed { trial, seed in
      let new = try ObjectRows(of: trial.new)
      var mine = new.keys
      for (entity, lines) in trial.recovered {
        let keys = lines.compactMap(RescueTrial.key)
        mine.formUnion(keys.map { ObjectRows.Key(table: sound.table(of: Name(entity)), key: $0) })
      }
      let theirs = try RecoveredDatabase(of: trial.damaged, trial.folder).rows(like: sound)
      let missing = theirs.subtracting(mine)
      #expect(
        missing == [], "seed \(seed): \(missing.count) of \(theirs.count); \(trial.damage)")
      figures.stores += 1
      let apart = mine.intersection(sound.keys).subtracting(new.keys)
      figures.objects += live.keys.count
      figures.rescued += new.keys.count
      figures.lostApart += apart.intersection(live.keys).count
      figures.deletedApart += apart.subtracting(live.keys).count
      figures.recovered += theirs.count
      figures.deletedRecovered += theirs.subtracting(live.keys).count
    }
    print("What was rescued: \(figures)")
  }

  private func forEachSeed(_ body: (RescueTrial, UInt64) throws -> Void) throws {
    var refused = 0
    for seed in Self.first..<Self.first + UInt64(Self.count) {
      do {
        let trial = try RescueTrial(of: RescueTwin.path()) {
          PageDamage.some(in: $0, seed: seed)
        }
        try body(trial, seed)
      } catch let error as CofferError where error.code == .damagedStore {
        // A page of the schema was among them.
        refused += 1
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    #expect(refused < max(3, Self.count / 3))
  }
}
