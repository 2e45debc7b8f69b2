internal import CoreDataModel
internal import Testing

@testable internal import CoreDataStore

/// A column converts the values that SQLite converts there.
@Suite struct ColumnAffinityTests {
  private static let types = ["INTEGER", "VARCHAR", "FLOAT", "TIMESTAMP", "DECIMAL", "BLOB", ""]

  /// All texts of up to four characters that a number can have, and two that it cannot.
  private static let texts: [String] = {
    var (all, longest) = ([""], [""])
    for _ in 1...4 {
      longest = longest.flatMap { text in "07+-.e \tx".map { text + String($0) } }
      all += longest
    }
    return all + [
      "12.50", " 12.50\n", "1e400", "9223372036854775808", "0x10", "inf", "nan", "1\u{0}", "١",
    ]
  }()

  private static let numbers: [Double] = [
    0, 1, -1, 0.5, 1e17, 1e18, 1e19, 0x1p62, -0x1p63, 0x1p63, 0x1p-1074, .infinity,
  ]

  /// Inserts a value into a column of each type, and returns the types whose columns convert it.
  private func converting(_ value: SQLiteValue, _ database: SQLiteDatabase) throws -> [String] {
    let marks = Self.types.map { _ in "?1" }.joined(separator: ", ")
    try database.run("DELETE FROM t")
    _ = try database.rows("INSERT INTO t VALUES (\(marks))", [value])
    let columns = Self.types.indices.map { "typeof(c\($0))" }.joined(separator: ", ")
    let found = try database.rows("SELECT typeof(?1), \(columns) FROM t", [value])[0]
    return Self.types.indices.filter { found[$0 + 1] != found[0] }.map { Self.types[$0] }
  }

  private func expected(_ value: ConvertibleValue?) -> [String] {
    Self.types.filter { type in value.map { ColumnAffinity(type).converts($0) } ?? false }
  }

  @Test func conversionsAreThoseOfSQLite() throws {
    let folder = try SnapshotFolder()
    let connection = try SQLiteConnection(path: folder.store, access: .writing)
    defer { try? connection.close() }
    try connection.use { database in
      let columns = Self.types.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
      try database.run("BEGIN")
      try database.run("CREATE TABLE t (\(columns))")
      for text in Self.texts {
        let value = ConvertibleValue(text: text.utf8)
        let found = try converting(.string(text), database)
        #expect(found == expected(value), "\(text.debugDescription)")
      }
      for number in Self.numbers {
        #expect(try converting(.real(number), database) == expected(.real(number)), "\(number)")
      }
      #expect(try converting(.integer(7), database) == expected(.integer))
      #expect(try converting(.blob([49]), database) == [])
      try database.run("COMMIT")
    }
  }
}
