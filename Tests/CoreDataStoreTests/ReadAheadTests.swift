internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CoreDataStore

/// A database that is read ahead gives the same as one that is read page by page.
@Suite struct ReadAheadTests {
  /// A database with rows of many sizes, an index in another order, and free pages in between.
  private static func make(_ folder: SnapshotFolder, pageSize: Int) throws {
    let connection = try SQLiteConnection(path: folder.store, access: .writing)
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA page_size = \(pageSize)")
      try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b, c)")
      try database.run("CREATE INDEX i ON t (c)")
      try database.run(
        """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t SELECT i, randomblob(abs(random()) % 4000), random() FROM n
        """)
      try database.run("UPDATE t SET b = zeroblob(300000) WHERE a % 500 = 0")
      try database.run("DELETE FROM t WHERE a % 7 = 0")
    }
    try connection.close()
  }

  private static func rows(
    _ parameters: String, _ folder: SnapshotFolder, _ sql: String
  ) throws -> [[SQLiteValue]] {
    let connection = try SQLiteConnection(
      path: SnapshotOpener.readOnlyURI(folder.store) + parameters, access: .reading,
      place: "store")
    defer { try? connection.close() }
    return try connection.use { database throws(CofferError) in
      try database.run("PRAGMA cache_size = 10")
      return try database.rows(sql)
    }
  }

  @Test func sqliteHasTheSystem() {
    #expect(ReadAhead.parameters.hasSuffix("&vfs=coffer-reads-ahead"))
  }

  @Test(arguments: [512, 1024, 4096, 32768, 65536])
  func everyOrderGivesTheSameRows(_ pageSize: Int) throws {
    let folder = try SnapshotFolder()
    try Self.make(folder, pageSize: pageSize)
    for sql in [
      "SELECT * FROM t", "SELECT * FROM t ORDER BY a DESC", "SELECT * FROM t ORDER BY c",
      "SELECT a, (SELECT sum(length(b)) FROM t AS u WHERE u.c > t.c) FROM t WHERE a < 40",
      "PRAGMA quick_check", "PRAGMA integrity_check",
    ] {
      let plain = try Self.rows("&immutable=1", folder, sql)
      #expect(!plain.isEmpty)
      #expect(try Self.rows(ReadAhead.parameters, folder, sql) == plain, "\(sql)")
    }
  }

  /// Also under the name of the system, a database that others may change is read as it is.
  @Test func aDatabaseThatMayChangeIsNotReadAhead() throws {
    // SQLite knows the file system after the first access to its parameters.
    try #require(ReadAhead.parameters.hasSuffix("&vfs=coffer-reads-ahead"))
    let folder = try SnapshotFolder()
    let writer = try SQLiteConnection(path: folder.store, access: .writing)
    defer { try? writer.close() }
    try writer.use { database throws(CofferError) in
      try database.run("PRAGMA journal_mode = WAL")
      try database.run("CREATE TABLE t (a)")
    }
    let reader = try SQLiteConnection(
      path: SnapshotOpener.readOnlyURI(folder.store) + "&vfs=coffer-reads-ahead", access: .reading)
    defer { try? reader.close() }
    for count in 1...3 {
      try writer.use { database throws(CofferError) in
        try database.run("INSERT INTO t VALUES (randomblob(20000))")
      }
      let found = try reader.use { database throws(CofferError) in
        try database.value("SELECT count(*) FROM t")?.integer
      }
      #expect(found == Int64(count))
    }
  }

  /// What is behind the end of a file that was cut short is an error where SQLite asks for it.
  @Test func aFileThatWasCutShortIsTheSameError() throws {
    let folder = try SnapshotFolder()
    try Self.make(folder, pageSize: 4096)
    let whole = try Data(contentsOf: URL(filePath: folder.store))
    for pages in stride(from: 1, to: whole.count / 4096, by: 37) {
      try whole.prefix(4096 * pages + (pages % 3) * 1000).write(to: URL(filePath: folder.store))
      let outcomes = ["&immutable=1", ReadAhead.parameters].map { parameters in
        Result { try Self.rows(parameters, folder, "SELECT * FROM t") }
          .mapError { Failure(text: "\($0)") }
      }
      #expect(outcomes[0] == outcomes[1], "\(pages) pages")
    }
  }

  /// Every state that a file goes through is read back as it was written, and the file is the same.
  @Test(arguments: ["OFF", "DELETE", "TRUNCATE", "WAL"], [4096, 65536])
  func whatIsWrittenIsReadBack(_ journal: String, _ pageSize: Int) throws {
    let folder = try SnapshotFolder()
    let paths = [folder.store + "-plain", folder.store + "-ahead"]
    let outcomes = try [paths[0], ReadAhead.onlyWriter(of: paths[1])].map { path in
      let connection = try SQLiteConnection(path: path, access: .writing, place: "store")
      let answers = try connection.use { database throws(CofferError) in
        try Self.write(database, journal: journal, pageSize: pageSize)
      }
      try connection.close()
      return answers
    }
    #expect(outcomes[0] == outcomes[1])
    #expect(outcomes[0].contains { $0.count > 1000 })
    let files = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(files[0] == files[1])
  }

  /// Writes and reads by turns, forward and in other orders, and rolls back.
  private static func write(
    _ database: SQLiteDatabase, journal: String, pageSize: Int
  ) throws(CofferError) -> [[[SQLiteValue]]] {
    var answers: [[[SQLiteValue]]] = []
    try database.run("PRAGMA page_size = \(pageSize)")
    try database.run("PRAGMA journal_mode = \(journal)")
    try database.run("PRAGMA cache_size = 10")
    try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b, c)")
    try database.run(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT i, zeroblob(i * 7919 % 2000), i * 104729 % 3001 FROM n
      """)
    for change in [
      "CREATE INDEX i ON t (c)", "UPDATE t SET b = zeroblob(200000) WHERE a % 900 = 0",
      "DELETE FROM t WHERE a % 7 = 0", "CREATE INDEX k ON t (b, c)",
      "UPDATE t SET c = c + 1 WHERE length(b) % 3 = 0",
      "INSERT INTO t SELECT a + 5000, c, b FROM t",
    ] {
      try database.run(change)
      answers.append(try database.rows("SELECT a, length(b), c FROM t"))
      answers.append(try database.rows("SELECT a FROM t ORDER BY c, a DESC"))
    }
    if journal != "OFF" {
      try database.run("BEGIN")
      try database.run("DELETE FROM t WHERE c % 2 = 0")
      answers.append(try database.rows("SELECT sum(a), sum(length(b)) FROM t"))
      try database.run("ROLLBACK")
    }
    try database.run("DELETE FROM t WHERE a > 2000")
    answers.append(try database.rows("SELECT * FROM t ORDER BY a DESC"))
    answers.append(try database.rows("PRAGMA integrity_check"))
    return answers
  }

  /// Two slashes at the beginning, and characters with a meaning in a URI.
  @Test(arguments: ["//", "///", "/./"], ["a b", "a?b=c&d", "a#b", "a%41", "ü", "file:x"])
  func anyPathNamesItsFile(_ slashes: String, _ name: String) throws {
    let folder = try SnapshotFolder()
    let path = folder.store.replacingOccurrences(of: "/", with: slashes) + name
    for access in [SQLiteConnection.Access.writing, .reading] {
      let uri =
        access == .writing ? ReadAhead.onlyWriter(of: path) : SnapshotOpener.readOnlyURI(path)
      let connection = try SQLiteConnection(path: uri, access: access, place: path)
      try connection.use { database throws(CofferError) in
        if access == .writing { try database.run("CREATE TABLE t (a)") }
        #expect(try database.rows("SELECT * FROM t").isEmpty)
      }
      try connection.close()
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func aDatabaseWithoutANameStaysWithoutOne() {
    #expect(ReadAhead.onlyWriter(of: "").isEmpty)
  }

  private struct Failure: Error, Equatable {
    let text: String
  }
}
