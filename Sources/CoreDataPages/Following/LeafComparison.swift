package import CoreDataModel
internal import CoreDataStore

/// Finds the rows that may differ between two states of a database, from the newer state and a ``PageSurvey``
/// of the older one.
///
/// If a leaf has the same number, digest and table in both states, it has the same rows with the same values,
/// unless a value continues on an overflow page that differs. So the numbers of differing rows are between
/// two such leaves: after the last row of one, and before the first row of the other. Two leaves that follow
/// each other in both states have nothing between them.
package struct LeafComparison {
  /// The possible changes in a table.
  package enum News: Sendable, Equatable {
    case nothing
    /// Rows with numbers in these ranges, which ascend.
    case rows([ClosedRange<Int64>])
    case anything
  }

  /// The fraction of all pages above which comparing all rows takes less time.
  private static let largestPart = 4
  /// The number of pages that may always differ.
  private static let fewPages = 256

  /// The possible changes, by the names of the tables.
  package private(set) var news: [Name: News] = [:]

  /// A comparison without changes.
  package init(nothingSince survey: PageSurvey) {
    for table in survey.tables { news[table.name] = .nothing }
  }

  /// Compares two states; nil if any row may differ.
  ///
  /// - Throws: ``CofferError`` with `read-failed`; `CancellationError`.
  package init?(
    from old: PageSurvey, to new: PageSurvey, _ pages: DatabasePages
  ) throws {
    guard old.pageSize == new.pageSize, old.schema == new.schema, pages.count == new.digests.count,
      old.tables.map(\.name) == new.tables.map(\.name)
    else { return nil }
    var changes = Self.changes(from: old, to: new)
    guard changes.count <= max(Self.fewPages, new.digests.count / Self.largestPart) else {
      return nil
    }
    guard let leaves = try OverflowOwners(pages, new).owners(of: changes) else { return nil }
    for leaf in leaves { changes.insert(leaf) }
    for (before, after) in zip(old.tables, new.tables) {
      try Task<Never, Never>.checkCancellation()
      guard try Self.leavesAddUp(after, changes, pages) else { return nil }
      guard let found = try Self.news(before, after, changes, pages) else { return nil }
      news[after.name] = found
    }
  }

  /// Whether the bytes of the changed leaves of a table add up; rows of another leaf would seem to be deleted.
  private static func leavesAddUp(
    _ table: PageSurvey.Table, _ changes: PageChanges, _ pages: DatabasePages
  ) throws(CofferError) -> Bool {
    guard table.hasRowNumbers else { return true }
    for leaf in table.pages.lazy.map({ Int($0) }) where changes.contains(leaf) {
      guard let bytes = try pages.page(leaf), TreePage.addsUp(bytes, number: leaf) else {
        return false
      }
    }
    return true
  }

  /// The pages with different digests, or in only one of the states.
  private static func changes(from old: PageSurvey, to new: PageSurvey) -> PageChanges {
    var changes = PageChanges(pageSize: new.pageSize)
    let common = min(old.digests.count, new.digests.count)
    for index in 0..<common where old.digests[index] != new.digests[index] {
      changes.insert(index + 1)
    }
    for index in common..<max(old.digests.count, new.digests.count) { changes.insert(index + 1) }
    return changes
  }

  /// The possible changes in a table; nil if its leaves are not as expected.
  private static func news(
    _ old: PageSurvey.Table, _ new: PageSurvey.Table, _ changes: PageChanges,
    _ pages: DatabasePages
  ) throws(CofferError) -> News? {
    guard old.hasRowNumbers == new.hasRowNumbers else { return nil }
    let isSame = old.pages == new.pages
    if isSame, !new.pages.contains(where: { changes.contains(Int($0)) }) { return .nothing }
    guard new.hasRowNumbers else { return .anything }
    var ranges: [ClosedRange<Int64>] = []
    let (before, after) = (Set(old.pages), Set(new.pages))
    func isKept(_ page: UInt32) -> Bool {
      before.contains(page) && after.contains(page) && !changes.contains(Int(page))
    }
    var (left, right) = (0, 0)
    while left < old.pages.count || right < new.pages.count {
      let (start, begin) = (left, right)
      while left < old.pages.count, !isKept(old.pages[left]) { left += 1 }
      while right < new.pages.count, !isKept(new.pages[right]) { right += 1 }
      let isAtEnd = left == old.pages.count
      guard isAtEnd == (right == new.pages.count),
        isAtEnd || old.pages[left] == new.pages[right]
      else { return nil }
      if left > start || right > begin {
        let last = begin > 0 ? try bounds(of: new.pages[begin - 1], pages) : nil
        let next = isAtEnd ? nil : try bounds(of: new.pages[right], pages)
        guard begin == 0 || last != nil, isAtEnd || next != nil else { return nil }
        if let last, let next, last.upperBound >= next.lowerBound { return nil }
        if let range = between(last?.upperBound, next?.lowerBound) { ranges.append(range) }
      }
      if isAtEnd { break }
      (left, right) = (left + 1, right + 1)
    }
    guard zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound }) else {
      return nil
    }
    return .rows(ranges)
  }

  /// The numbers between two numbers; nil if there are none.
  private static func between(_ last: Int64?, _ next: Int64?) -> ClosedRange<Int64>? {
    if last == .max || next == .min { return nil }
    let (low, high) = (last.map { $0 + 1 } ?? .min, next.map { $0 - 1 } ?? .max)
    return low <= high ? low...high : nil
  }

  /// The numbers of the first and of the last row of a leaf; nil if it has none, or they do not ascend.
  static func bounds(
    of page: UInt32, _ pages: DatabasePages
  ) throws(CofferError) -> ClosedRange<Int64>? {
    let number = Int(page)
    guard let bytes = try pages.page(number),
      let cells = LeafPage(bytes, number: number)?.wholeCells,
      let first = cells.first, let last = cells.last,
      zip(cells, cells.dropFirst()).allSatisfy({ $0.rowNumber < $1.rowNumber })
    else { return nil }
    return first.rowNumber...last.rowNumber
  }
}

/// Finds the leaves whose values continue on given pages.
private struct OverflowOwners {
  private let pages: DatabasePages
  /// By the number of a page, whether it has rows.
  private var hasRows: [Bool]
  private let leaves: [UInt32]

  init(_ pages: DatabasePages, _ survey: PageSurvey) {
    self.pages = pages
    hasRows = [Bool](repeating: false, count: pages.count + 1)
    leaves = survey.tables.flatMap(\.pages)
    for leaf in leaves where Int(leaf) < hasRows.count { hasRows[Int(leaf)] = true }
  }

  /// The leaves, changed or not, with values that continue on changed pages; nil if the leaf of some page is
  /// unknown.
  func owners(of changes: PageChanges) throws(CofferError) -> Set<Int>? {
    let candidates = changes.isChanged.indices.filter { number in
      number > 1 && number <= pages.count && changes.contains(number) && !hasRows[number]
        && !pages.isPointerMap(number) && !pages.isLockPage(number)
    }
    return pages.hasPointerMap
      ? try mappedOwners(of: candidates) : try chainedOwners(of: candidates, changes)
  }

  /// The leaves, according to the pointer map.
  private func mappedOwners(of candidates: [Int]) throws(CofferError) -> Set<Int>? {
    var owners: Set<Int> = []
    var seen: Set<Int> = []
    for candidate in candidates {
      var number = candidate
      chain: while seen.insert(number).inserted {
        guard let pointer = try pages.pointer(to: number) else { return nil }
        switch pointer.kind {
        case .root, .free, .tree: break chain
        case .overflow:
          guard pointer.parent > 1, pointer.parent <= pages.count, !hasRows[number] else {
            return nil
          }
          number = pointer.parent
        case .firstOverflow:
          guard pointer.parent > 0, pointer.parent <= pages.count, !hasRows[number] else {
            return nil
          }
          if hasRows[pointer.parent] { owners.insert(pointer.parent) }
          break chain
        }
      }
    }
    return owners
  }

  /// The leaves, found by following the values of all of them.
  private func chainedOwners(
    of candidates: [Int], _ changes: PageChanges
  ) throws(CofferError) -> Set<Int>? {
    var unknown: Set<Int> = []
    for number in candidates {
      if let bytes = try pages.page(number),
        TreePage.isOfTree(bytes, number: number, pageCount: pages.count)
      {
        continue
      }
      unknown.insert(number)
    }
    if unknown.isEmpty { return [] }
    let isFree = try pages.freePages()
    unknown = unknown.filter { !isFree[$0] }
    if unknown.isEmpty { return [] }
    var owners: Set<Int> = []
    var budget = 4 * pages.count
    for leaf in leaves.map(Int.init) {
      guard let bytes = try pages.page(leaf) else { return nil }
      // The owner of a page of a table without row numbers stays unknown.
      if TreePage.isOfIndex(bytes, number: leaf) { continue }
      guard let cells = LeafPage(bytes, number: leaf)?.wholeCells else { return nil }
      for cell in cells where cell.overflow > 0 {
        var (next, left) = (cell.overflow, cell.size - cell.local.count)
        while left > 0 {
          guard budget > 0, let bytes = try pages.page(next) else { return nil }
          if changes.contains(next) {
            owners.insert(leaf)
            unknown.remove(next)
          }
          budget -= 1
          left -= pages.usableSize - 4
          next = bytes.long(0) ?? 0
        }
      }
    }
    // The remaining pages belong to indexes, which have no values of their own, or to no known table.
    return unknown.isEmpty ? owners : nil
  }
}

extension DatabasePages {
  /// An entry of the pointer map
  /// (<https://sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>).
  package struct Pointer {
    /// The kind of the page.
    package enum Kind: UInt8 {
      case root = 1
      case free, firstOverflow, overflow, tree
    }

    var kind: Kind
    /// The page that refers to it.
    var parent: Int
  }

  /// The entry of a page in the pointer map; nil if it is not valid.
  func pointer(to number: Int) throws(CofferError) -> Pointer? {
    guard hasPointerMap, number > 2 else { return nil }
    let group = usableSize / 5 + 1
    var map = (number - 2) / group * group + 2
    if isLockPage(map) { map += 1 }
    let offset = 5 * (number - map - 1)
    guard let bytes = try page(map), bytes.indices.contains(offset),
      let kind = Pointer.Kind(rawValue: bytes[offset]), let parent = bytes.long(offset + 1)
    else { return nil }
    return Pointer(kind: kind, parent: parent)
  }
}
