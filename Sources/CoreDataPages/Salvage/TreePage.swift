internal import CoreDataStore

/// The header of a page of a tree (<https://sqlite.org/fileformat2.html#b_tree_pages>).
package enum TreePage {
  /// Whether a page is a leaf of a table, or of one without row numbers.
  static func isLeaf(_ bytes: [UInt8], number: Int, ofIndex: Bool = false) -> Bool {
    mark(bytes, number) == (ofIndex ? 10 : 13)
  }

  /// Whether a page belongs to an index, or to a table without row numbers.
  static func isOfIndex(_ bytes: [UInt8], number: Int) -> Bool {
    [2, 10].contains(mark(bytes, number))
  }

  /// Whether a page of a database begins like one of a tree, as no overflow page can: those begin with the
  /// number of a page.
  static func isOfTree(_ bytes: [UInt8], number: Int, pageCount: Int) -> Bool {
    pageCount < 0x0200_0000 && [2, 5, 10, 13].contains(mark(bytes, number))
  }

  /// The pages below an interior page of a table, or of one without row numbers, in the order of their rows;
  /// nil for other pages.
  static func children(_ bytes: [UInt8], number: Int, ofIndex: Bool = false) -> [Int]? {
    let start = number == 1 ? DatabaseHeader.length : 0
    guard mark(bytes, number) == (ofIndex ? 2 : 5), let count = bytes.word(start + 3),
      let last = bytes.long(start + 8)
    else { return nil }
    var children: [Int] = []
    for index in 0..<count {
      guard let place = bytes.word(start + 12 + index * 2), let child = bytes.long(place) else {
        return nil
      }
      children.append(child)
    }
    return children + [last]
  }

  /// Whether a page is an interior page or a leaf of a table.
  static func isOfTable(_ bytes: [UInt8], number: Int) -> Bool {
    [5, 13].contains(mark(bytes, number))
  }

  private static func mark(_ bytes: [UInt8], _ number: Int) -> UInt8 {
    bytes[number == 1 ? DatabaseHeader.length : 0]
  }
}
