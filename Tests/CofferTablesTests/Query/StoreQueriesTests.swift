internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

/// SQL by the names of the model.
@Suite struct StoreQueriesTests {
  /// A copy of the sample store.
  private static func sample(in folder: TemporaryDirectory) throws -> String {
    let path = folder.file("Todo.sqlite")
    try SampleStore.write(to: path)
    return path
  }

  /// The rows of a statement.
  private static func rows(
    _ queries: StoreQueries, _ statement: String, limits: QueryLimits = QueryLimits()
  ) throws -> [[QueryValue]] {
    var rows: [[QueryValue]] = []
    try queries.run(statement, limits: limits) { _ in
    } row: {
      rows.append($0)
      return true
    }
    return rows
  }

  /// The stores that are compared: one of three, or all in a long run.
  private static let stores = RealStores.any.enumerated().filter { index, _ in
    index % 3 == 0 || Effort.isLong
  }.map(\.element)

  @Test(arguments: stores)
  func everyTableIsThatOfTheExportedDatabase(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    let queries = try StoreQueries(path, environment: WorkEnvironment(storeAccess: .inPlace))
    let exporter = DataExporter(options: DataExportOptions(format: .sqlite))
    let summary = try exporter.write(path, to: folder.file("Tables"))
    let names = summary.fileNames
    try #require(names.count == 1)
    let connection = try SQLiteConnection(
      path: "\(folder.file("Tables"))/\(names[0])", access: .reading, answersQueries: true)
    defer { try? connection.close() }
    try connection.use { database in
      for table in try queries.tables() {
        let name = quotedIdentifier(table.name)
        let order = table.name.contains(".") ? "1, 2" : "1"
        let found = try Self.rows(queries, "SELECT * FROM \(name) ORDER BY \(order)")
        // No view of a file is ever asked: its text is run.
        let view = try database.value(
          "SELECT substr(sql, instr(sql, ' AS' || char(10)) + 4) FROM sqlite_schema "
            + "WHERE type = 'view' AND name = ?1", [.text(Array(table.name.utf8))])
        let source = view?.string.map { "(\($0))" } ?? name
        let expected = try database.rows("SELECT * FROM \(source) ORDER BY \(order)")
        #expect(found.count == expected.count, "\(table.name)")
        for (row, values) in zip(found, expected) {
          for ((value, other), column) in zip(zip(row, values), table.columns)
          where !Self.areSame(value, other) {
            Issue.record("\(table.name).\(column.name): \(value), not \(other)")
          }
        }
      }
    }
  }

  /// Whether a value is what the exported database has; that of a column of numbers may have another
  /// storage class, a file its folder, and a date that ISO 8601 has no text for is a text there.
  private static func areSame(_ value: QueryValue, _ other: SQLiteValue) -> Bool {
    switch (value, other) {
    case (.none, .null): true
    case (.integer(let number), .integer(let other)): number == other
    case (.integer(let number), .real(let other)), (.real(let other), .integer(let number)):
      Double(number) == other
    case (.real(let number), .real(let other)): number == other
    case (.real(let number), .text(let bytes)):
      Double(String(decoding: bytes, as: UTF8.self)) == number
    case (.integer(let number), .text(let bytes)):
      Int64(String(decoding: bytes, as: UTF8.self)) == number
    case (.text(let text), .text(let bytes)):
      [text, "External/\(text)"].contains(String(decoding: bytes, as: UTF8.self))
    case (.data(let bytes), .blob(let other)): bytes == other
    default: false
    }
  }

  @Test func anArchiveAnswersLikeItsStore() throws {
    let folder = try TemporaryDirectory()
    let store = try Self.sample(in: folder)
    try StoreExporter().export(storeAt: store, to: folder.file("a.coffer.tar.gz"))
    let statement = "SELECT * FROM TodoEntity ORDER BY id"
    let rows = try Self.rows(StoreQueries(store), statement)
    #expect(!rows.isEmpty)
    #expect(try Self.rows(StoreQueries(folder.file("a.coffer.tar.gz")), statement) == rows)
  }

  @Test(arguments: [
    ("DELETE FROM TodoEntity", "DELETE is not a statement that only reads"),
    ("/* a */ -- b\n PRAGMA query_only = 0", "PRAGMA is not"),
    ("ATTACH ':memory:' AS x", "ATTACH is not"), (" ", "there is no statement"),
    ("WITH a AS (SELECT 1) DELETE FROM main.ZTAGENTITY", "it would change the store"),
    ("SELECT 1; SELECT 2", "several statements"),
    ("SELECT * FROM TodoEntit", "Did you mean \"TodoEntity\"?"),
    ("SELECT titel FROM TodoEntity", "Did you mean \"title\"?"),
    ("SELECT abs(-9223372036854775808)", "integer overflow"),
    ("SELECT coffer_date(1, 2)", "wrong number of arguments"),
  ])
  func whatIsNotAQueryIsRefused(_ statement: String, _ text: String) throws {
    let folder = try TemporaryDirectory()
    let store = try Self.sample(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let queries = try StoreQueries(store, environment: WorkEnvironment(storeAccess: .inPlace))
    let error = #expect(throws: CofferError.self) { try Self.rows(queries, statement) }
    #expect(error?.code == .invalidQuery)
    let said = "\(try #require(error)) \(error?.advice ?? [])"
    #expect(said.replacing("\\\"", with: "\"").contains(text), "\(said)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  @Test func aQueryEndsAtItsLimits() throws {
    let folder = try TemporaryDirectory()
    let queries = try StoreQueries(Self.sample(in: folder))
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    #expect(try Self.rows(queries, endless, limits: QueryLimits(rows: 5)).count == 5)
    let error = #expect(throws: CofferError.self) {
      try Self.rows(
        queries, "SELECT count(*) FROM (\(endless))", limits: QueryLimits(seconds: 0.05))
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.detail.contains("more than 0.05 s") == true)
  }

  @Test func allFunctionsOfSQLiteMayBeCalled() throws {
    let folder = try TemporaryDirectory()
    let queries = try StoreQueries(Self.sample(in: folder))
    let rows = try Self.rows(
      queries, "SELECT replace('abc', 'b', 'x'), trim(' a '), printf('%d', 7), instr('abc', 'c')")
    #expect(rows == [[.text("axc"), .text("a"), .text("7"), .integer(3)]])
  }
}
