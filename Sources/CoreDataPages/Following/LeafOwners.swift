package import CoreDataModel

/// The table of each page with rows.
///
/// Only the pages above the leaves are read, one for some hundred leaves.
package struct LeafOwners {
  /// The kind of a page of a table.
  enum Part: Equatable {
    /// Not a page of a table.
    case none
    /// A page that points to others.
    case interior
    /// A leaf with rows of a table, given by its index.
    case leaf(Int)

    /// The table whose rows are on it; nil for none.
    var table: Int? { if case .leaf(let table) = self { table } else { nil } }
  }

  /// The maximum number of levels of a table: even with two pages below each page, there cannot be more.
  private static let deepest = 40

  /// The pages of a table.
  struct Tree {
    /// Whether it is a table without row numbers, which has the pages of an index.
    var isOfIndex = false
    /// The leaves in the order of their rows; for a table without row numbers, all pages.
    var pages: [UInt32] = []
  }

  /// The tables, in the order of their first pages.
  private(set) var trees: [Tree] = []

  private let pages: DatabasePages
  /// By the number of a page: 0 for none, -1 for an interior page, otherwise the index of the table and 1.
  private var owners: [Int32]

  /// Follows all tables from their first pages; nil if a page does not fit an intact database.
  ///
  /// Tables without row numbers are skipped, unless their trees are followed.
  init?(
    _ pages: DatabasePages, roots: [Int], followsIndexTrees: Bool = false
  ) throws(CofferError) {
    self.pages = pages
    owners = [Int32](repeating: 0, count: pages.count + 1)
    for (table, root) in roots.enumerated() {
      guard root < owners.count, let bytes = try pages.page(root) else { return nil }
      trees.append(Tree(isOfIndex: TreePage.isOfIndex(bytes, number: root)))
      if trees[table].isOfIndex, !followsIndexTrees { continue }
      guard try take(bytes, root, Int32(clamping: table + 1), depth: 0) else { return nil }
    }
  }

  /// The kind of a page.
  func part(_ number: Int) -> Part {
    guard number < owners.count else { return .none }
    switch owners[number] {
    case 0: return .none
    case -1: return .interior
    case let owner: return .leaf(Int(owner) - 1)
    }
  }

  /// Records a page and all pages below it; returns false if a page does not fit an intact database.
  private mutating func take(
    _ bytes: [UInt8], _ number: Int, _ owner: Int32, depth: Int
  ) throws(CofferError) -> Bool {
    guard depth < Self.deepest, owners[number] == 0 else { return false }
    let isOfIndex = trees[trees.count - 1].isOfIndex
    if TreePage.isLeaf(bytes, number: number, ofIndex: isOfIndex) {
      note(number, owner)
      return true
    }
    guard let children = TreePage.children(bytes, number: number, ofIndex: isOfIndex),
      isOfIndex || TreePage.addsUp(bytes, number: number)
    else { return false }
    // Interior pages of an index have rows too.
    if isOfIndex { note(number, owner) } else { owners[number] = -1 }
    // All leaves of a tree are equally deep.
    guard let first = children.first, let child = try pages.page(first) else { return false }
    let areLeaves = TreePage.isLeaf(child, number: first, ofIndex: isOfIndex)
    for page in children {
      guard page > 0, page < owners.count else { return false }
      if areLeaves {
        guard owners[page] == 0 else { return false }
        note(page, owner)
      } else {
        guard let bytes = try pages.page(page), try take(bytes, page, owner, depth: depth + 1)
        else { return false }
      }
    }
    return true
  }

  /// Records a page with rows.
  private mutating func note(_ number: Int, _ owner: Int32) {
    owners[number] = owner
    trees[trees.count - 1].pages.append(UInt32(clamping: number))
  }
}

extension DatabasePages {
  /// The leaves of some tables, as far as their pages can be read.
  ///
  /// - Parameter tables: the first page of each table, and a record for its leaves.
  /// - Returns: the records, by the numbers of the leaves.
  /// - Throws: ``CofferError`` as the file cannot be read.
  package func leaves(of tables: [(root: Int, note: Int)]) throws(CofferError) -> [Int: Int] {
    var leaves: [Int: Int] = [:]
    var seen: Set<Int> = []
    for table in tables {
      var waiting = [table.root]
      while let number = waiting.popLast() {
        guard seen.insert(number).inserted, let bytes = try page(number) else { continue }
        if TreePage.isLeaf(bytes, number: number) {
          leaves[number] = table.note
        } else {
          waiting += TreePage.children(bytes, number: number) ?? []
        }
      }
    }
    return leaves
  }
}
