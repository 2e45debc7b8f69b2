internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Random models, random rows, random changes: every migration is right, or refused for a reason.
///
/// 40 models are tried, or as many as `COFFER_MIGRATIONS` says.
@Suite(.enabled(if: Oracle.isAvailable)) struct MigrationRandomTests {
  private static let count =
    ProcessInfo.processInfo.environment["COFFER_MIGRATIONS"].flatMap(UInt64.init) ?? 16

  @Test func randomChangesKeepEveryValue() throws {
    var (done, refused) = (0, 0)
    for seed in UInt64(1)...Self.count {
      var evolution = EvolvingModel(seed: seed)
      let folder = try TemporaryDirectory()
      var current = folder.file("0.sqlite")
      let builder = try SampleStoreBuilder(path: current, model: evolution.model, journal: .delete)
      try evolution.fill(builder)
      try builder.finish()
      for step in 1...3 {
        evolution.evolve()
        let model = folder.file("model\(step).sqlite")
        try SampleStoreBuilder(path: model, model: evolution.model, journal: .delete).finish()
        let next = folder.file("\(step).sqlite")
        do {
          try StoreMigrator().migrate(current, to: model, at: next)
        } catch let error as CofferError {
          refused += 1
          let allowed: [MappingProblem.Code] = [
            .unmetCondition, .notSupported, .mergedHierarchies, .changedDestination,
          ]
          #expect(
            error.problems.allSatisfy { allowed.contains($0.code) },
            "seed \(seed), step \(step): \(error.problems)")
          #expect(!FileManager.default.fileExists(atPath: next))
          break
        }
        let problems = try MigrationTrial.problems(from: current, to: next)
        #expect(problems == [], "seed \(seed), step \(step)")
        done += 1
        current = next
      }
    }
    #expect(done > refused * 2, "\(done) done, \(refused) refused")
  }
}
