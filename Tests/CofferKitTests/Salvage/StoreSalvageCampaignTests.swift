internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever pages of a store are damaged, a salvage invents nothing, loses nothing in silence, and ends.
///
/// More damages are made where `COFFER_PAGE_DAMAGES` says how many.
@Suite struct StoreSalvageCampaignTests {
  private static let count =
    ProcessInfo.processInfo.environment["COFFER_PAGE_DAMAGES"].flatMap(Int.init) ?? 8
  private static let first =
    ProcessInfo.processInfo.environment["COFFER_FIRST_SEED"].flatMap(UInt64.init) ?? 0

  @Test func randomPagesAreLostAloud() throws {
    var refused = 0
    for seed in Self.first..<(Self.first + UInt64(Self.count)) {
      do {
        let store = try SalvagedStore(of: SalvageTwin.path()) { map in Self.damage(map, seed) }
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

  /// One to four damages, behind the first page.
  static func damage(_ map: PageMap, _ seed: UInt64) -> [PageDamage] {
    var random = SeededGenerator(seed: seed)
    func page() -> Int { 2 + random.below(map.pages.count - 1) }
    return (0...random.below(4)).map { _ in
      switch random.below(16) {
      case 0..<6: .zeros(page())
      case 6..<12: .noise(page(), seed: random.next())
      case 12, 13: .swap(page(), page())
      case 14: .copy(from: page(), to: page())
      default: .cut(map.pages.count - random.below(map.pages.count / 4))
      }
    }
  }
}
