internal import CoreDataPages
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// The rows that a commit may have changed, by the pages that it wrote.
@Suite struct StoreFollowerTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let database: GeneratorDatabase
  private let follower: StoreFollower

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("Rows.sqlite")
    database = try GeneratorDatabase(path: path)
    _ = try database.rows("PRAGMA journal_mode = WAL")
    try database.run(
      """
      CREATE TABLE t (k INTEGER PRIMARY KEY, a); CREATE TABLE w (k PRIMARY KEY, a) WITHOUT ROWID;
      CREATE INDEX i ON t (a);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t (a) SELECT 'row ' || i FROM n; INSERT INTO w VALUES (1, 1);
      UPDATE t SET a = hex(zeroblob(10000)) WHERE k = 700
      """)
    follower = try StoreFollower(of: path, copiesIn: nil)
  }

  private struct NoChange: Error {}

  /// What a look finds.
  private func change() throws -> StoreFollower.Change {
    guard case .changed(let change) = try follower.look() else { throw NoChange() }
    return change
  }

  /// The numbers of the rows that may have changed since the last look; nil for all.
  private func rows() throws -> Set<Int64>? {
    let rows = try follower.changedRows(change())
    try follower.accept()
    return try rows.map { rows in
      let connection = try SQLiteConnection(path: "", access: .writing)
      return try connection.use { database in
        try rows.copy(to: database)
        return Set(
          try database.rows("SELECT coffer_k FROM temp.coffer_changed").compactMap(\.first?.integer)
        )
      }
    }
  }

  /// A look that a commit interrupts has written pages to the copy, which the next look finds unchanged.
  @Test(arguments: ["WAL", "DELETE"]) func commitsDuringALookAreFollowed(_ mode: String) throws {
    _ = try database.rows("PRAGMA journal_mode = \(mode)")
    var number = 0
    let query = "SELECT k, a FROM t ORDER BY k"
    let follower = try StoreFollower(of: path, copiesIn: nil) { [database] in
      number += 1
      guard number % 4 != 0 else { return }
      try? database.run(
        "INSERT INTO t (a) VALUES (hex(zeroblob(\(3000 * number)))); DELETE FROM t WHERE k = \(number * 100)"
      )
    }
    for _ in 0..<5 {
      try database.run(
        "UPDATE t SET a = a || 'x' WHERE k % 500 = 7; PRAGMA wal_checkpoint(TRUNCATE)")
      var isCurrent = false
      while !isCurrent {
        switch try follower.look() {
        case .changed: try follower.accept()
        case .unchanged: isCurrent = true
        default: continue
        }
      }
      #expect(try GeneratorDatabase(path: follower.before).rows(query) == database.rows(query))
    }
    #expect(number > 4, "no look was interrupted")
  }

  @Test func aFewRowsAreFoundByTheirPages() throws {
    try database.run("UPDATE t SET a = 'new' WHERE k IN (5, 9000); DELETE FROM t WHERE k = 19999")
    let rows = try #require(try rows())
    #expect(rows.isSuperset(of: [5, 9000, 19999]))
    #expect(rows.count < 2000)
  }

  @Test func rowsThatMoveToOtherPagesAreFound() throws {
    try database.run("UPDATE t SET a = 'grown ' || hex(zeroblob(300)) WHERE k BETWEEN 400 AND 600")
    #expect(try #require(try rows()).isSuperset(of: 400...600))
    try database.run("DELETE FROM t WHERE k BETWEEN 300 AND 650")
    #expect(try #require(try rows()).isSuperset(of: 300...650))
  }

  @Test func whoOverwritesOnlyOverflowPagesLetsAllRowsBeCompared() throws {
    // As long as before, and different only at its end, which is on another page than its beginning.
    try database.run("DROP INDEX i")
    _ = try rows()
    try database.run("UPDATE t SET a = substr(a, 1, 19999) || '1' WHERE k = 700")
    #expect(try rows() == nil)
    // With another value on the leaf, it is known whose they are.
    try database.run("UPDATE t SET a = '2' || substr(a, 2, 19998) || '2' WHERE k = 700")
    #expect(try #require(try rows()).contains(700))
  }

  @Test func aNewSchemaLetsAllRowsBeCompared() throws {
    try database.run("CREATE TABLE more (k INTEGER PRIMARY KEY)")
    #expect(try rows() == nil)
    try database.run("VACUUM")
    #expect(try rows() == nil)
  }

  @Test func aLogThatIsBegunAnewIsReadOn() throws {
    try database.run("UPDATE t SET a = 'new' WHERE k = 5")
    #expect(try change().commitCount == 1)
    try follower.accept()
    _ = try database.rows("PRAGMA wal_checkpoint(RESTART)")
    try DatabaseFiles(main: path).state().waitUntilSettled()
    guard case .unchanged = try follower.look() else { throw NoChange() }
    try database.run("UPDATE t SET a = 'newer' WHERE k = 5")
    // All pages would be compared otherwise, and the number of commits not be known.
    #expect(try change().commitCount == 1)
  }

  @Test func whatIsNotAcceptedIsFoundAgain() throws {
    try database.run("UPDATE t SET a = 'new' WHERE k = 5")
    _ = try change()
    try database.run("UPDATE t SET a = 'new' WHERE k = 9000")
    #expect(try change().commitCount == 2)
    #expect(try #require(try rows()).isSuperset(of: [5, 9000]))
    guard case .unchanged = try follower.look() else { throw NoChange() }
  }
}
