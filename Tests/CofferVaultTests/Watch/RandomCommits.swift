internal import LibrarySupport
internal import StoreGenerator

/// Random commits to a generated store, as an app, SQL and SQLite's own housekeeping make them.
struct RandomCommits {
  private var random: SeededGenerator

  /// Tables without triggers, and a text column of each.
  private static let tables: [(name: String, number: Int, column: String)] = [
    ("ZPERSONENTITY", 7, "ZNAME"), ("ZTAGENTITY", 9, "ZNAME"),
    ("ZATTACHMENTENTITY", 1, "ZFILENAME"), ("ZPERSONENTITY", 7, "ZEMAIL"),
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Makes a random number of commits; sometimes none.
  mutating func make(in database: GeneratorDatabase) throws {
    for _ in 0..<random.below(4) { try makeOne(database) }
  }

  private mutating func makeOne(_ database: GeneratorDatabase) throws {
    let (table, number, column) = Self.tables[random.below(Self.tables.count)]
    let text = "'\(random.next())' || Z_PK || hex(zeroblob(\(random.below(60))))"
    let few = "Z_PK % \(40 + random.below(200)) = \(random.below(40))"
    switch random.below(14) {
    case 0, 1:
      // Enough rows that pages split.
      try database.run(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \
        \(random.below(300))) INSERT OR IGNORE INTO \(table) (Z_ENT, Z_OPT, \(column))
        SELECT \(number), 1, '\(random.next())' || i || hex(zeroblob(\(random.below(60)))) FROM n
        """)
    case 2:
      let first = random.below(2000)
      try database.run(
        "DELETE FROM \(table) WHERE Z_PK BETWEEN \(first) AND \(first + random.below(200))")
    case 3, 4: try database.run("UPDATE OR IGNORE \(table) SET \(column) = \(text) WHERE \(few)")
    case 5:
      // A text that goes on on pages of its own.
      let size = 2000 + random.below(8000)
      try database.run(
        "UPDATE OR IGNORE \(table) SET \(column) = Z_PK || hex(zeroblob(\(size))) WHERE Z_PK = (SELECT Z_PK FROM \(table) "
          + "LIMIT 1 OFFSET \(random.below(50)))")
    case 6, 7:
      // Only the last of those pages is written.
      try database.run(
        "UPDATE OR IGNORE \(table) SET \(column) = substr(\(column), 1, length(\(column)) - 1) || "
          + "'\(random.below(10))' WHERE length(\(column)) > 4000")
    case 8:
      try database.run(
        "INSERT OR REPLACE INTO Z_4TAGS VALUES (\(random.below(3000)), \(random.below(9)))")
    case 9:
      try database.run("DELETE FROM Z_4TAGS WHERE Z_4TODOS % 50 = \(random.below(50))")
    case 10:
      let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][random.below(4)]
      _ = try database.rows("PRAGMA wal_checkpoint(\(mode))")
    case 11:
      try database.run(
        "BEGIN; UPDATE \(table) SET \(column) = \(text); DELETE FROM Z_4TAGS; ROLLBACK")
    case 12:
      let statements = [
        "VACUUM", "PRAGMA incremental_vacuum(5)",
        "CREATE INDEX IF NOT EXISTS Z_Sample ON ZPERSONENTITY (ZEMAIL)",
        "DROP INDEX IF EXISTS Z_Sample",
      ]
      _ = try database.rows(statements[random.below(statements.count)])
    default:
      try database.run(
        random.chance(0.3)
          ? "UPDATE OR IGNORE \(table) SET \(column) = \(column) || '.'"
          : "UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE \(few)")
    }
  }
}
