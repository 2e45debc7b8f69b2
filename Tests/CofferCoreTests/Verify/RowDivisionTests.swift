import CoreDataLayout
import CoreDataStore
internal import LibrarySupport
import Synchronization
import TestSupport
import Testing

@testable import CofferCore

/// The rows of a store are divided among threads: none is left out, none is repeated.
@Suite struct RowDivisionTests {
  /// The ranges of a table, whose rows take as much memory as a function says; of very many, the first.
  private static func ranges(
    _ bounds: ClosedRange<Int64>, _ size: (RowRange) -> Int
  ) throws -> [RowRange] {
    var division = RowDivision()
    division.begin(0)
    var (ranges, isDone) = ([RowRange](), false)
    while !isDone, ranges.count < 3000 {
      let next = division.next(isSound: true, bounds: { bounds })
      let range = try #require(next)
      ranges.append(range)
      isDone = division.take(
        RowRangeEnd(byteCount: size(range)), of: range, bounds: { bounds })
    }
    #expect(division.table == (ranges.last?.last == nil ? 1 : 0))
    return ranges
  }

  @Test(
    arguments: [
      0...0, 1...1024, 1...1025, 1...1026, 5...100_000, -70_000...(-1), .min...(.min + 5000),
      .min...(.max), (.max - 5000)...(.max), 1...(.max - 1),
    ] as [ClosedRange<Int64>])
  func rangesFollowOneAnotherWithoutGaps(_ bounds: ClosedRange<Int64>) throws {
    var random = SeededRandom(15)
    for size in [0, 1, 1 << 10, 1 << 20, 1 << 30] {
      let ranges = try Self.ranges(bounds) { range in
        // What is close together takes less.
        range.last.map { _ in size + Int(random.next() & 0xff) } ?? 0
      }
      #expect(ranges.first?.before == nil)
      #expect(ranges.count == 3000 || ranges.last?.last == nil)
      for (range, next) in zip(ranges, ranges.dropFirst()) {
        #expect(range.last == next.before)
        let numbers = try #require(range.numbers)
        #expect(try #require(next.numbers).lowerBound == numbers.upperBound + 1)
      }
      if ranges.count > 1 {
        #expect(ranges.first?.numbers?.lowerBound == .min)
        #expect(ranges.count == 3000 || ranges.last?.numbers?.upperBound == .max)
      }
    }
  }

  @Test func denseRowsGiveRangesOfTheSameSize() throws {
    /// The number of row numbers in a range with both ends.
    func width(_ range: RowRange) -> Int? {
      guard let before = range.before?.first, let last = range.last?.first else { return nil }
      return Int(last - before)
    }
    let ranges = try Self.ranges(1...1_000_000) { 900 * (width($0) ?? 0) }
    let widths = ranges.compactMap(width).dropFirst()
    #expect(widths.count > 100)
    #expect(widths.allSatisfy { abs($0 * 900 - RowDivision.size) <= 900 })
  }

  @Test func nothingIsDividedAsLongAsPagesMayBeDamaged() {
    var division = RowDivision()
    let bounds = { 1...50_000 as ClosedRange<Int64>? }
    func next(isSound: Bool, _ bounds: () -> ClosedRange<Int64>?) -> RowRange? {
      division.next(isSound: isSound, bounds: bounds)
    }
    func isDone(behind last: Int64?) -> Bool {
      division.take(RowRangeEnd(last: last, byteCount: 1 << 18), of: RowRange(), bounds: bounds)
    }
    #expect(next(isSound: false, bounds) == RowRange())
    // The rest of the table depends on how this range ends.
    #expect(next(isSound: true, bounds) == nil)
    #expect(!isDone(behind: 300))
    #expect(next(isSound: true, bounds) == RowRange(before: [300], last: [1324]))
    // An abandoned table.
    division.begin(1)
    #expect(next(isSound: false, bounds) == RowRange())
    #expect(isDone(behind: nil))
    #expect(division.table == 2)
    // The scan has met the last row that there can be.
    #expect(next(isSound: false, bounds) == RowRange())
    #expect(isDone(behind: .max))
    #expect(division.table == 3)
    // A table without numbers.
    #expect(next(isSound: true) { nil } == RowRange())
    #expect(division.table == 4)
  }

  /// The rows of all tables, as one thread and as several read them.
  @Test func theRowsAreTheSameWheneverPagesAreKnownToBeSound() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 20_000
    try StoreMaker.write(to: path, options)
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    for statement in [
      "DELETE FROM ZITEMENTITY WHERE Z_PK BETWEEN 2000 AND 9000",
      "UPDATE ZITEMENTITY SET Z_PK = 9223372036854775807 WHERE Z_PK = 9500",
      "UPDATE ZITEMENTITY SET Z_PK = -9223372036854775808 WHERE Z_PK = 9501",
    ] { try database.run(statement) }
    let store = try PersistentStore(readingFrom: path, access: .copy)
    defer { store.close() }
    let tables = StoreTables(store, blobLimit: 64 << 10)
    let expected = try store.use { database in
      let source = StoreRowSource(store, database, tables)
      return try tables.sources.map { table in
        let rows = try source.rows(
          of: table.shape, into: Row(columnCount: table.shape.fields.count), keys: nil, filter: nil)
        var found: [String] = []
        while try rows.next() { found.append(Self.text(rows.row)) }
        return found
      }
    }
    #expect(expected.map(\.count).reduce(0, +) > 20_000)
    var options2 = VerificationOptions()
    (options2.threads, options2.smallestDividedStore) = (2, 0)
    for looks in [0, 1, 2, 5, 20, 70, Int.max] {
      let left = Mutex(looks)
      let reader = try #require(
        StoreRowReader(store, tables.sources, options2) {
          left.withLock { left in
            left = max(0, left - 1)
            return left == 0
          }
        })
      for (index, table) in tables.sources.enumerated() {
        let row = Row(columnCount: table.shape.fields.count)
        var found: [String] = []
        try reader.read(table: index) { rows in rows.forEach(row) { found.append(Self.text(row)) } }
        #expect(found == expected[index], "\(table.shape.folder) after \(looks) looks")
      }
    }
  }

  private static func text(_ row: Row) -> String {
    (0..<row.columnCount).map { column in
      let bytes = unsafe row.bytes(column).map { unsafe $0.reduce(0) { ($0 &* 31) &+ Int($1) } }
      return "\(row.integer(column) ?? 0) \(row.size(column)) \(bytes ?? 0)"
    }.joined(separator: ",")
  }
}
