internal import CoreDataModel
internal import CoreDataStore

/// A page that looks like a leaf of a table, reachable or not.
package struct LeafPage {
  /// One row: its number, and where its record is.
  package struct Cell {
    var rowNumber: Int64
    /// The size of the record in bytes.
    var size: Int
    /// The part of the record on the page.
    var local: Range<Int>
    /// The first page of the rest; 0 for none.
    var overflow: Int
  }

  /// The first byte of such a page.
  private static let mark: UInt8 = 13
  /// The size of the header, before the offsets of the cells.
  private static let headerSize = 8

  private let bytes: [UInt8]
  private let start: Int

  /// Parses a page; nil if it does not look like a leaf.
  init?(_ bytes: [UInt8], number: Int) {
    start = number == 1 ? DatabaseHeader.length : 0
    guard bytes.count > start + Self.headerSize, bytes[start] == Self.mark else { return nil }
    self.bytes = bytes
  }

  /// The cells within the page, in its order.
  var cells: [Cell] {
    let first = start + Self.headerSize
    let count = min(bytes.word(start + 3) ?? 0, (bytes.count - first) / 2)
    return (0..<count).compactMap { index in
      guard let place = bytes.word(first + index * 2), place >= first + count * 2 else {
        return nil
      }
      return cell(at: place)
    }
  }

  /// All cells of the page, in its order; nil if some of them extend beyond it.
  var wholeCells: [Cell]? {
    let cells = cells
    return cells.count == bytes.word(start + 3) ? cells : nil
  }

  private func cell(at place: Int) -> Cell? {
    var offset = place
    guard let stored = bytes.variable(&offset), let number = bytes.variable(&offset),
      let size = Int32(exactly: stored).map(Int.init), size > 0
    else { return nil }
    let local = Self.localSize(of: size, usable: bytes.count)
    guard offset + local <= bytes.count else { return nil }
    var cell = Cell(
      rowNumber: Int64(bitPattern: number), size: size, local: offset..<(offset + local),
      overflow: 0)
    if local < size {
      guard let overflow = bytes.long(cell.local.upperBound) else { return nil }
      cell.overflow = overflow
    }
    return cell
  }

  /// The number of bytes of a record that are on its leaf.
  static func localSize(of size: Int, usable: Int) -> Int {
    let most = usable - 35
    if size <= most { return size }
    let least = (usable - 12) * 32 / 255 - 23
    let local = least + (size - least) % (usable - 4)
    return local <= most ? local : least
  }

  /// The part of a record that is on the page.
  func local(_ cell: Cell) -> ArraySlice<UInt8> { bytes[cell.local] }
}

/// Follows chains of overflow pages, with a limit for all of them together: pages of a damaged file can
/// lead to the same ones again and again.
struct OverflowChains {
  /// The maximum size of a record; only the part on the leaf is read of a larger one.
  private static let recordLimit = 1 << 28

  private let pages: DatabasePages
  private var left: Int

  init(_ pages: DatabasePages) {
    self.pages = pages
    left = 4 * pages.count
  }

  /// The bytes of a record, or only those on its leaf if the rest is not a chain of the right length.
  mutating func record(of cell: LeafPage.Cell, on page: LeafPage) throws(CofferError) -> [UInt8] {
    let local = Array(page.local(cell))
    guard cell.size <= Self.recordLimit else { return local }
    var bytes = local
    var number = cell.overflow
    // A circular chain ends here too: it has more pages than bytes.
    while bytes.count < cell.size {
      guard number > 0, left > 0, let next = try pages.page(number) else { return local }
      left -= 1
      bytes += next[4..<(4 + min(cell.size - bytes.count, next.count - 4))]
      number = next.long(0) ?? 0
    }
    return number == 0 ? bytes : local
  }
}
