internal import CoreDataModel
package import CoreDataStore

extension StoreFollower {
  /// The rows that may differ between the state at the last look and the state now.
  ///
  /// Rows are found by their pages: pages that differ, and pages that belong to the table in only
  /// one state. If this does not determine the rows that differ, any row may differ.
  ///
  /// - Returns: the rows; nil for all.
  package func changedRows(_ change: Change) throws -> ChangedRows? {
    guard !change.hasOtherPages else { return nil }
    let schema = try Self.schema(before, place: path)
    guard schema == (try Self.schema(after, place: path)) else { return nil }
    let tables = schema.compactMap(ChangedLeaves.Table.init)
    return try DatabasePages.reading(before) { old in
      try DatabasePages.reading(after) { new in
        try ChangedLeaves(old, new, tables, change.pages)?.rows()
      }
    }.flatMap { $0 }.flatMap { $0 }
  }

  private static func schema(_ path: String, place: String) throws(CofferError) -> [[SQLiteValue]] {
    let connection = try SQLiteConnection(
      path: SnapshotOpener.readOnlyURI(path) + ReadAhead.parameters, access: .reading, place: place)
    defer { try? connection.close() }
    return try connection.use { database throws(CofferError) in
      try database.rows(PageSurvey.schemaStatement)
    }
  }
}

/// Finds the rows that may differ between two states of a database, by the pages that do.
///
/// Both states have the same tables, which begin on the same pages. A row that differs is on a leaf
/// that differs, or on a page that is no leaf of its table in the other state. There is one
/// exception: a large value that continues on overflow pages can be overwritten there. An overflow
/// page that differs belongs to a row on a leaf that differs, or its row is unknown.
package struct ChangedLeaves {
  /// A table of the schema.
  package struct Table {
    var name: String
    /// Its first page.
    var root: Int

    /// Reads a row of `sqlite_schema`; nil for one of something else, and of a table without pages.
    init?(_ row: [SQLiteValue]) {
      guard row.first?.string == "table", let name = row[1].string, let root = row[3].integer,
        root > 0
      else { return nil }
      (self.name, self.root) = (name, Int(clamping: root))
    }
  }

  private let old: DatabasePages
  private let new: DatabasePages
  private let oldOwners: LeafOwners
  private let newOwners: LeafOwners
  private let tables: [Table]
  private let changes: PageChanges

  /// The fraction of all pages above which comparing all rows takes less time.
  private static let largestPart = 4
  /// How often the chains of overflow pages may be followed, in multiples of all pages.
  private static let chainLimit = 4
  /// The number of pages that are always examined one by one.
  private static let fewPages = 256

  /// Compares the tables of both states; nil if all rows have to be compared.
  init?(
    _ old: DatabasePages, _ new: DatabasePages, _ tables: [Table], _ changes: PageChanges
  ) throws(CofferError) {
    guard changes.count <= max(Self.fewPages, new.count / Self.largestPart),
      old.usableSize == new.usableSize,
      let oldOwners = try LeafOwners(old, roots: tables.map(\.root)),
      let newOwners = try LeafOwners(new, roots: tables.map(\.root))
    else { return nil }
    (self.old, self.new, self.tables, self.changes) = (old, new, tables, changes)
    (self.oldOwners, self.newOwners) = (oldOwners, newOwners)
  }

  /// The rows that may differ; nil for all.
  func rows() throws -> ChangedRows? {
    let rows = try ChangedRows()
    var unknown = try unknownPages()
    var budget = Self.chainLimit * new.count
    for number in 1...max(old.count, new.count, 1) {
      if number & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      let (before, after) = (oldOwners.part(number), newOwners.part(number))
      guard changes.contains(number) || before != after else { continue }
      var (old, new) = (before.table.map { Leaf($0) }, after.table.map { Leaf($0) })
      guard try old?.read(number, of: self.old) != false,
        try new?.read(number, of: self.new) != false
      else { return nil }
      if !unknown.isEmpty { for cell in new?.cells ?? [] { try pass(cell, &unknown, &budget) } }
      if old?.table == new?.table { Leaf.removeSame(&old, &new) }
      for (leaf, isBefore) in [(old, true), (new, false)] {
        guard let leaf else { continue }
        let name = tables[leaf.table].name
        for cell in leaf.cells { rows.add(name, cell.rowNumber) }
        rows.count(leaf.cells.count, of: name, isBefore: isBefore)
      }
    }
    guard try areFree(unknown) else { return nil }
    try rows.finish()
    return rows
  }

  /// Whether the rows of the leaves that differ are between the rows of the previous leaf and of the next leaf.
  ///
  /// A damaged database can have rows twice. Reading rows by their numbers does not detect that.
  func areInOrder() throws(CofferError) -> Bool {
    for (owners, pages) in [(oldOwners, old), (newOwners, new)] {
      for tree in owners.trees {
        var last: (index: Int, row: Int64)?
        for (index, page) in tree.pages.enumerated() {
          let nearby = tree.pages[max(0, index - 1)..<min(index + 2, tree.pages.count)]
          guard nearby.count > 1, nearby.contains(where: { differs(Int($0)) }) else { continue }
          guard let rows = try LeafComparison.bounds(of: page, pages) else { return false }
          if let last, last.index == index - 1, last.row >= rows.lowerBound { return false }
          last = (index, rows.upperBound)
        }
      }
    }
    return true
  }

  /// Whether a page differs, or is of another table.
  private func differs(_ number: Int) -> Bool {
    changes.contains(number) || oldOwners.part(number) != newOwners.part(number)
  }

  /// A leaf of a table in one of the states.
  private struct Leaf {
    let table: Int
    private(set) var cells: [LeafPage.Cell] = []
    private var page: LeafPage?

    init(_ table: Int) { self.table = table }

    /// Reads the rows; false if some of them extend beyond the page.
    mutating func read(_ number: Int, of pages: DatabasePages) throws(CofferError) -> Bool {
      page = try pages.page(number).flatMap { LeafPage($0, number: number) }
      guard let found = page?.wholeCells else { return false }
      cells = found
      return true
    }

    /// Removes the rows that both have with the same bytes, and that do not continue on other pages.
    static func removeSame(_ old: inout Leaf?, _ new: inout Leaf?) {
      guard let one = old, let other = new, let page = one.page, let otherPage = other.page else {
        return
      }
      var same: Set<Int64> = []
      let known = Dictionary(one.cells.map { ($0.rowNumber, $0) }) { first, _ in first }
      for cell in other.cells where cell.overflow == 0 {
        if let before = known[cell.rowNumber], before.overflow == 0,
          page.local(before) == otherPage.local(cell)
        {
          same.insert(cell.rowNumber)
        }
      }
      old?.cells.removeAll { same.contains($0.rowNumber) }
      new?.cells.removeAll { same.contains($0.rowNumber) }
    }
  }

  // MARK: Pages without rows of their own

  /// The pages that differ and may continue values.
  private func unknownPages() throws(CofferError) -> Set<Int> {
    var unknown: Set<Int> = []
    for number in changes.isChanged.indices
    where number > 1 && number <= new.count && changes.contains(number) {
      guard newOwners.part(number) == .none, !new.isPointerMap(number), !new.isLockPage(number),
        let bytes = try new.page(number),
        !TreePage.isOfTree(bytes, number: number, pageCount: new.count)
      else { continue }
      unknown.insert(number)
    }
    return unknown
  }

  /// Removes the pages on which a value of a row continues, because the row is already known.
  ///
  /// Chains of a damaged file can lead to the same pages again and again; beyond a limit, pages stay unknown.
  private func pass(
    _ cell: LeafPage.Cell, _ unknown: inout Set<Int>, _ budget: inout Int
  ) throws(CofferError) {
    var next = cell.overflow
    var left = cell.size - cell.local.count
    while next > 0, left > 0, budget > 0, let bytes = try new.page(next) {
      unknown.remove(next)
      budget -= 1
      left -= new.usableSize - 4
      next = bytes.long(0) ?? 0
    }
  }

  /// Whether pages are on the list of free pages.
  private func areFree(_ unknown: Set<Int>) throws(CofferError) -> Bool {
    if unknown.isEmpty { return true }
    let isFree = try new.freePages()
    return unknown.allSatisfy { isFree[$0] }
  }
}

extension DatabasePages {
  /// Whether a page is a pointer map, which lists the owners of the pages after it
  /// (<https://sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>).
  func isPointerMap(_ number: Int) -> Bool {
    guard hasPointerMap, number > 1 else { return false }
    let group = usableSize / 5 + 1
    var first = (number - 2) / group * group + 2
    if isLockPage(first) { first += 1 }
    return number == first
  }

  /// Whether a page is the one that locks are on, which has no content.
  func isLockPage(_ number: Int) -> Bool { number == 0x4000_0000 / pageSize + 1 }
}
