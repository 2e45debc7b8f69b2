internal import CoreDataModel
internal import Testing

@testable internal import CoreDataStore

/// A row that is read at once has the values that its columns have when they are asked one by one.
@Suite struct BorrowedCellTests {
  private static let values = [
    "NULL", "0", "-9223372036854775808", "1.5", "'Grüße'", "''", "x''", "x'00ff'", "zeroblob(5000)",
    "hex(zeroblob(3000))", "a", "b", "a + 1", "b || 'x'", "CAST(a AS TEXT)",
  ]

  /// The value that a cell lends.
  private static func value(_ cell: BorrowedCell) -> SQLiteValue {
    let start = unsafe cell.place.flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }
    let bytes = unsafe Array(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : cell.size))
    switch cell.storageClass {
    case .null: return .null
    case .integer: return .integer(cell.bits)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: cell.bits)))
    case .text: return .text(bytes)
    case .blob: return .blob(bytes)
    }
  }

  /// Both ways to read each row of a statement.
  private static func expectSame(_ sql: String, _ database: SQLiteDatabase) throws -> Int {
    let statement = try database.prepare(sql)
    let count = Int(statement.columnCount)
    var rowCount = 0
    while try statement.step() {
      var cells = Array(repeating: BorrowedCell(.integer, bits: 7), count: count + 1)
      unsafe cells.withUnsafeMutableBufferPointer { cells in
        guard let start = cells.baseAddress else { return }
        unsafe statement.read(into: start, count: count)
      }
      let columns = (0..<Int32(clamping: count)).map { statement.value($0) }
      #expect(cells.dropLast().map(value) == columns, "\(sql)")
      #expect(cells.last?.bits == 7, "no cell behind the last column is touched")
      rowCount += 1
    }
    return rowCount
  }

  @Test func rowsOfAnyWidthAreReadAtOnce() throws {
    let folder = try SnapshotFolder()
    let connection = try SQLiteConnection(path: folder.store, access: .writing)
    defer { try? connection.close() }
    try connection.use { database in
      try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
      try database.run(
        "INSERT INTO t VALUES (1, 'one'), (2, 2.5), (3, x'0102'), (4, NULL), (-5, 5)")
      for width in 1...40 {
        // Every value stands at every distance from the beginning.
        let columns = (0..<width).map { Self.values[($0 * 7 + width) % Self.values.count] }
        let other = columns.reversed()
        let plain = "SELECT \(columns.joined(separator: ", ")) FROM t"
        #expect(try Self.expectSame(plain, database) == 5)
        // Two places in the program that give rows, and rows that come out of a sorter.
        let united = "\(plain) UNION ALL SELECT \(other.joined(separator: ", ")) FROM t"
        #expect(try Self.expectSame(united, database) == 10)
        #expect(try Self.expectSame("\(united) ORDER BY 1", database) == 10)
      }
    }
  }
}
