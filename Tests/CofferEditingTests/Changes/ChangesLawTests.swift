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
}
