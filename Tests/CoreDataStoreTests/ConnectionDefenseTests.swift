internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// The settings of SQLite before it reads a stranger's database, and the actions that they forbid.
@Suite struct ConnectionDefenseTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("a.sqlite")
    try GeneratorDatabase(path: path).run(
      """
      CREATE TABLE t (a, b); CREATE TABLE log (a); INSERT INTO t VALUES (1, 2);
      CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE VIRTUAL TABLE s USING rtree (id, x0, x1)
      """)
  }

  /// The message of the error of a statement; nil if it works.
  private func refusal(
    _ sql: String, _ access: SQLiteConnection.Access = .reading
  ) throws -> String? {
    refusal(sql, try SQLiteConnection(path: path, access: access))
  }

  private func refusal(_ sql: String, _ connection: SQLiteConnection) -> String? {
    connection.use { database in
      do throws(CofferError) {
        _ = try database.rows(sql)
        return nil
      } catch {
        return error.detail
      }
    }
  }

  private func value(_ sql: String, _ connection: SQLiteConnection) throws -> SQLiteValue? {
    try connection.use { database throws(CofferError) in try database.value(sql) }
  }

  @Test(arguments: [SQLiteConnection.Access.reading, .recovering, .writing])
  func theSchemaIsNotTrusted(_ access: SQLiteConnection.Access) throws {
    let connection = try SQLiteConnection(path: path, access: access)
    for (setting, expected) in [("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0)] {
      let found = try value("PRAGMA \(setting)", connection)
      #expect(found == .integer(Int64(expected)), "\(setting)")
    }
  }

  /// Statements that would never end.
  private static let endless = [
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n ORDER BY -i",
  ]

  @Test(arguments: endless, [SQLiteConnection.Access.reading, .recovering, .writing])
  func aStatementEndsWithItsTask(_ sql: String, _ access: SQLiteConnection.Access) async throws {
    let connection = try SQLiteConnection(path: path, access: access)
    let refusal = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return self.refusal(sql, connection)
    }.value
    #expect(refusal == "interrupted")
    #expect(try value("SELECT count(*) FROM t", connection) == .integer(1))
  }

  @Test(arguments: [SQLiteConnection.Access.reading, .recovering, .writing])
  func viewsAreNotRead(_ access: SQLiteConnection.Access) throws {
    #expect(try refusal("SELECT * FROM v", access)?.contains("prohibited") == true)
  }

  @Test(arguments: [SQLiteConnection.Access.recovering, .writing])
  func triggersDoNotRun(_ access: SQLiteConnection.Access) throws {
    let connection = try SQLiteConnection(path: path, access: access)
    #expect(refusal("INSERT INTO t VALUES (3, 4)", connection) == nil)
    let count = try value("SELECT count(*) FROM log", connection)
    #expect(count == .integer(0))
  }

  @Test func theSchemaIsNotWritten() throws {
    let change = "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (c)' WHERE name = 't'"
    let connection = try SQLiteConnection(path: path, access: .recovering)
    #expect(refusal("PRAGMA writable_schema = ON", connection) == nil)
    #expect(refusal(change, connection) != nil)
    #expect(refusal("INSERT INTO s_rowid VALUES (1, 1)", connection) != nil)
    #expect(refusal("PRAGMA journal_mode = OFF", connection) == nil)
    let mode = try value("PRAGMA journal_mode", connection)
    #expect(mode == .string("delete"))
    try connection.use { database throws(CofferError) in try database.setDefensive(false) }
    #expect(refusal("PRAGMA writable_schema = ON", connection) == nil)
    #expect(refusal(change, connection) == nil)
  }

  @Test func nothingIsLoadedOrAttached() throws {
    #expect(try refusal("SELECT load_extension('x')") == "not authorized")
    #expect(try refusal("ATTACH ':memory:' AS other")?.contains("max 0") == true)
    #expect(try refusal("SELECT fts3_tokenizer('a', x'0000000000000000')") != nil)
  }

  @Test func statementsHaveLimits() throws {
    func list(_ text: String, _ count: Int, _ separator: String = ",") -> String {
      Array(repeating: text, count: count).joined(separator: separator)
    }
    let longest = Int(ConnectionDefense.longestStatement)
    let columns = Int(ConnectionDefense.maxColumns)
    let cases: [(works: String, fails: String)] = [
      ("SELECT \(list("1", 190, "+"))", "SELECT \(list("1", 210, "+"))"),
      (list("SELECT 1", 10, " UNION ALL "), list("SELECT 1", 11, " UNION ALL ")),
      ("SELECT max(\(list("1", 100)))", "SELECT max(\(list("1", 101)))"),
      ("SELECT \(list("1", columns))", "SELECT \(list("1", columns + 1))"),
      ("SELECT ?\(2 * columns)", "SELECT ?\(2 * columns + 1)"),
      (
        "SELECT 'a' LIKE '\(list("a", 100, ""))'", "SELECT 'a' LIKE '\(list("a", 101, ""))'"
      ),
      (
        "SELECT 1" + list(" ", longest - 100, ""), "SELECT 1" + list(" ", longest, "")
      ),
    ]
    for (works, fails) in cases {
      #expect(try refusal(works) == nil, "\(works.prefix(60))")
      #expect(try refusal(fails) != nil, "\(fails.prefix(60))")
    }
  }

  @Test(arguments: ["printf('%.*c', 2147483647, 'x')", "format('%d', 1)"])
  func functionsThatTakeForEverAreNotCalled(_ call: String) throws {
    #expect(try refusal("SELECT \(call)") == "a function that is not called")
  }

  @Test(arguments: ["instr('a', 'b')", "replace('a', 'b', 'c')", "trim('a', 'b')"])
  func functionsThatTakeTheSquareOfTheTimeAreNotCalledWhereAStoreIsRead(_ call: String) throws {
    for access in [SQLiteConnection.Access.reading, .recovering, .salvaging] {
      #expect(try refusal("SELECT \(call)", access) == "a function that is not called")
    }
    #expect(try refusal("SELECT \(call)", .writing) == nil)
  }

  @Test func valuesMayBeAsLongAsSQLiteAllows() throws {
    #expect(try refusal("SELECT length(zeroblob(999999999))") == nil)
  }

  @Test func aStoreThatIsBuiltIsDefendedAfterItsBeginning() throws {
    let construction = try StoreConstruction(
      at: folder.file("new.sqlite"), settings: StoreSettings(), place: "new")
    try construction.create([
      SchemaStatement(kind: .table, name: "t", tableName: "t", sql: "CREATE TABLE t (a)"),
      SchemaStatement(
        kind: .virtualTable, name: "s", tableName: "s",
        sql: "CREATE VIRTUAL TABLE s USING rtree (id, x0, x1)"),
    ])
    let change = "UPDATE sqlite_master SET rootpage = 1 WHERE name = 't'"
    #expect(throws: CofferError.self) {
      try construction.use { database throws(CofferError) in
        try database.run("PRAGMA writable_schema = ON")
        try database.run(change)
      }
    }
    try construction.finish()
  }
}
