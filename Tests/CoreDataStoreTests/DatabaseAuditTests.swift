internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// The report of SQLite's own check of a database, and its time limit.
@Suite struct DatabaseAuditTests {
  private func database(_ path: String) throws -> SQLiteConnection {
    let database = try GeneratorDatabase(path: path)
    try database.run(
      """
      CREATE TABLE t (a NOT NULL, b); CREATE INDEX i ON t (b);
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      INSERT INTO t SELECT x, x FROM n
      """)
    return try SQLiteConnection(path: path, access: .writing)
  }

  @Test func aSoundDatabaseHasNoMessages() throws {
    let folder = try TemporaryDirectory()
    let connection = try database(folder.file("a.sqlite"))
    for isDeep in [false, true] {
      let messages = try connection.use { database in
        try DatabaseAudit(database).messages(isDeep: isDeep)
      }
      #expect(messages == [])
    }
  }

  @Test func noMoreThanAHundredMessagesAreGiven() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try database(path).use { database in
      try database.run("PRAGMA writable_schema = ON")
      try database.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, b)' WHERE name = 't'")
    }
    try SQLiteConnection(path: path, access: .writing).use { database in
      try database.run("UPDATE t SET a = NULL")
      try database.run("PRAGMA writable_schema = ON")
      try database.run(
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a NOT NULL, b)' WHERE name = 't'")
    }
    let messages = try SQLiteConnection(path: path, access: .reading).use { database in
      try DatabaseAudit(database).messages(isDeep: false)
    }
    #expect(messages.count == DatabaseAudit.maximumMessages)
    #expect(Set(messages) == ["NULL value in t.a"])
  }

  @Test func aSchemaThatComputesForLongEndsTheCheck() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try database(path).use { database in
      try database.run("PRAGMA writable_schema = ON")
      // Two megabytes for each row: minutes for all.
      let sum = Array(repeating: "length(hex(zeroblob(500000 + a)))", count: 20)
      try database.run(
        """
        UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a NOT NULL, b, c NOT NULL AS (\(sum
          .joined(separator: " + "))))' WHERE name = 't'
        """)
    }
    let error = #expect(throws: CofferError.self) {
      try SQLiteConnection(path: path, access: .reading).use { database in
        try DatabaseAudit(database, leastTime: 1_000_000).messages(isDeep: false)
      }
    }
    #expect(error?.code == .sqliteError)
    #expect(error?.detail == "the computations of the schema for the rows take too long")
  }

  @Test func aCancelledTaskEndsTheCheck() async throws {
    let folder = try TemporaryDirectory()
    let connection = try database(folder.file("a.sqlite"))
    let task = Task { () -> CofferError.Code? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do {
        _ = try connection.use { database in
          try DatabaseAudit(database).messages(isDeep: true)
        }
        return nil
      } catch let error as CofferError {
        return error.code
      }
    }
    #expect(try await task.value == .sqliteError)
    // The connection can be used again.
    let messages = try connection.use { database in
      try DatabaseAudit(database).messages(isDeep: true)
    }
    #expect(messages == [])
  }
}
