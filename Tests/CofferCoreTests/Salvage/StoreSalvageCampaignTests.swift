internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever pages of a store are damaged, a salvage invents nothing, loses nothing in silence, and ends.
@Suite struct StoreSalvageCampaignTests {
  private static let count = Effort.tries(8)
  private static let first: UInt64 = Effort.seed(0)

  @Test func randomPagesAreLostAloud() throws {
    var refused = 0
    for seed in Self.first..<(Self.first + UInt64(Self.count)) {
      do {
        let store = try SalvagedStore(of: SalvageTwin.path()) { map in
          PageDamage.some(in: map, seed: seed)
        }
        let problems = try StoreSalvageOracle(store: store).problems()
        #expect(problems == [], "seed \(seed): \(store.damage)")
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
