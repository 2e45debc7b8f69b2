internal import StoreGenerator
package import TestSupport

extension PageDamage {
  /// One to four damages, behind the first page.
  package static func some(in map: PageMap, seed: UInt64) -> [PageDamage] {
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
