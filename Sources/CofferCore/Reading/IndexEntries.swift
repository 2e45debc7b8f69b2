internal import CoreDataArchive
internal import CoreDataStore

/// The number of entries that the indexes of a store have: one of each index for each row of its table.
///
/// A row takes a few bytes of an archive, and its table may have thousands of indexes.
struct IndexEntries {
  private let indexCounts: [SchemaName: Int]
  /// The number of entries so far.
  private(set) var count = 0

  /// Counts the indexes of each table; whatever makes no index is skipped.
  init(_ statements: [SchemaStatement]) {
    let tables = statements.lazy.filter { $0.kind == .index }.compactMap(\.indexedTable)
    indexCounts = Dictionary(tables.map { (SchemaName($0), 1) }, uniquingKeysWith: +)
  }

  func indexCount(of table: String) -> Int { indexCounts[SchemaName(table), default: 0] }

  mutating func add(_ rowCount: Int, of table: String) {
    let (product, overflow) = rowCount.multipliedReportingOverflow(by: indexCount(of: table))
    let sum = count.addingReportingOverflow(product)
    count = overflow || sum.overflow ? .max : sum.partialValue
  }

  /// The limit `index-entries` that an import of an archive with this number of plain bytes needs.
  func limit(forPlainSize size: Int) -> Int {
    let (quotient, remainder) = count.quotientAndRemainder(
      dividingBy: size / ArchiveLimits.sizeOfFewIndexEntries + 1)
    return quotient + min(1, remainder)
  }
}
