internal import Foundation
internal import StoreGenerator

/// Something that a disk does to pages of a file.
package enum PageDamage: Sendable, CustomStringConvertible {
  /// The page is all zeros.
  case zeros(Int)
  /// The page is random bytes.
  case noise(Int, seed: UInt64)
  /// Two pages have changed places.
  case swap(Int, Int)
  /// The page has the content of another one.
  case copy(from: Int, to: Int)
  /// The file ends behind so many pages.
  case cut(Int)

  /// Damages a file.
  package func apply(to path: String, pageSize: Int) throws {
    let url = URL(fileURLWithPath: path)
    var data = try Data(contentsOf: url)
    func range(_ page: Int) -> Range<Int> { (page - 1) * pageSize..<page * pageSize }
    switch self {
    case .zeros(let page): data.replaceSubrange(range(page), with: Data(count: pageSize))
    case .noise(let page, let seed):
      var random = SeededGenerator(seed: seed)
      data.replaceSubrange(
        range(page), with: Data((0..<pageSize).map { _ in UInt8(random.below(256)) }))
    case .swap(let first, let second):
      let (a, b) = (Data(data[range(first)]), Data(data[range(second)]))
      data.replaceSubrange(range(first), with: b)
      data.replaceSubrange(range(second), with: a)
    case .copy(let from, let to):
      data.replaceSubrange(range(to), with: Data(data[range(from)]))
    case .cut(let count): data = data.prefix(count * pageSize)
    }
    try data.write(to: url)
  }

  /// The damage in words.
  package var description: String {
    switch self {
    case .zeros(let page): "page \(page) is zeros"
    case .noise(let page, let seed): "page \(page) is noise of seed \(seed)"
    case .swap(let first, let second): "pages \(first) and \(second) have changed places"
    case .copy(let from, let to): "page \(to) is a copy of page \(from)"
    case .cut(let count): "the file ends behind page \(count)"
    }
  }
}
