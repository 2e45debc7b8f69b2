internal import CoreDataModel
package import CoreDataStore

/// A row of a known table that was found on a page, reachable or not.
package struct FoundRow {
  /// The table.
  package var layout: RowLayout
  /// The primary key, above 0.
  package var key: Int64
  /// The number of the entity.
  package var entityNumber: Int64
  /// The version counter, above 0.
  package var version: Int64
  /// The values in the order of the columns; nil for values whose bytes are lost.
  package var values: [SQLiteValue?]
  /// Whether the page is on the list of free pages, so that the row may have been deleted.
  package var isFree: Bool
}

/// Searches all pages of a database for rows of known tables.
///
/// A row is recognized by its layout: the number of values, storage classes that fit the columns, a number of
/// an entity of the table, a version, a positive key. On free pages, it must have all columns. A row on a page
/// of another table, with all columns of that table, belongs to it, even if it looks like an object.
package struct PageScan {
  private let pages: DatabasePages
  private let layouts: [RowLayout]
  private let foreign: [Int: Int]

  /// Prepares a scan of a database for rows of some tables.
  ///
  /// - Parameters:
  ///   - pages: the pages.
  ///   - layouts: the tables.
  ///   - foreign: the leaves of other tables, and the number of their columns.
  package init(_ pages: DatabasePages, _ layouts: [RowLayout], foreign: [Int: Int] = [:]) {
    self.pages = pages
    self.layouts = layouts
    self.foreign = foreign
  }

  /// Searches the pages that are in use or lost, then the free pages, each in ascending order.
  ///
  /// - Parameters:
  ///   - isWanted: whether the caller wants a row with this key of a table.
  ///   - found: called for every matching row, possibly more than once.
  /// - Throws: ``CofferError`` as the file cannot be read; errors from the closures;
  ///   `CancellationError`.
  package func run(
    where isWanted: (RowLayout, Int64) throws -> Bool, found: (FoundRow) throws -> Void
  ) throws {
    let isFree = try pages.freePages()
    var chains = OverflowChains(pages)
    for wantsFree in [false, true] {
      for number in isFree.indices.dropFirst() where isFree[number] == wantsFree {
        if number & 0xff == 0 { try Task<Never, Never>.checkCancellation() }
        guard let bytes = try pages.page(number), let leaf = LeafPage(bytes, number: number)
        else { continue }
        for cell in leaf.cells where cell.rowNumber > 0 {
          guard
            let layout = try layout(
              of: cell, on: leaf, isFree: wantsFree, foreignCount: foreign[number]),
            try isWanted(layout, cell.rowNumber),
            let row = try row(cell, on: leaf, layout, &chains, isFree: wantsFree)
          else { continue }
          try found(row)
        }
      }
    }
  }

  /// The table that a cell can belong to, judging by its page; nil for none.
  private func layout(
    of cell: LeafPage.Cell, on leaf: LeafPage, isFree: Bool, foreignCount: Int?
  ) throws(CofferError) -> RowLayout? {
    guard let record = StoredRecord(Array(leaf.local(cell)), size: cell.size),
      record.values.count != foreignCount
    else { return nil }
    return layouts.first { $0.identity(record, mayBeShort: !isFree) != nil }
  }

  private func row(
    _ cell: LeafPage.Cell, on leaf: LeafPage, _ layout: RowLayout, _ chains: inout OverflowChains,
    isFree: Bool
  ) throws(CofferError) -> FoundRow? {
    let bytes = try chains.record(of: cell, on: leaf)
    guard let record = StoredRecord(bytes, size: cell.size),
      let identity = layout.identity(record, mayBeShort: !isFree)
    else { return nil }
    return FoundRow(
      layout: layout, key: cell.rowNumber, entityNumber: identity.entity,
      version: identity.version, values: layout.values(record, key: cell.rowNumber, pages.encoding),
      isFree: isFree)
  }
}
