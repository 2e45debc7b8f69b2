internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// Adds a copy of every object of a generated store, as an app that was installed anew and synced twice
/// has them, with SQL alone.
struct DoubledStore {
  /// What is added to the primary key of an object for that of its copy.
  static let distance: Int64 = 100_000

  /// A store with distinguishable objects, without indexes that forbid duplicates.
  static func prepare(_ path: String, seed: UInt64) throws {
    var options = GeneratorOptions()
    options.objectCount = 120
    options.seed = seed
    options.externalCount = 3
    try StoreMaker.write(to: path, options)
    try edit(path) { database in
      let indexes = try database.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%' "
          + "AND tbl_name LIKE 'Z%'")
      for row in indexes { try database.run("DROP INDEX \"\(row[0].text)\"") }
      try database.run(
        """
        UPDATE ZPERSONENTITY SET ZEMAIL = 'p' || Z_PK;
        UPDATE ZLOCATIONENTITY SET ZNAME = 'l' || Z_PK, ZRADIUS = 0.5;
        UPDATE ZITEMENTITY SET ZLOCATIONNAME = (SELECT ZNAME FROM ZLOCATIONENTITY
          WHERE Z_PK = ZLOCATION) WHERE ZLOCATION IS NOT NULL;
        UPDATE ZVISITENTITY SET ZARRIVAL = Z_PK;
        """)
    }
  }

  /// The keys of the entities without a uniqueness constraint, and of entities whose values may be nil.
  static let keys = RenumberedStore.keys.filter {
    !["SettingsEntity"].contains($0.entityName)
  }

  /// Adds a copy of every object, with copies of the relationships between copies, and of the files.
  static func double(_ files: StoreFiles) throws {
    try edit(files.path) { database in
      for (table, _) in RenumberedStore.references {
        let references = RenumberedStore.references.flatMap(\.columns)
          .filter { $0.table == table }.map(\.column)
        try copyRows(of: table, moving: references + ["Z_PK"], database)
      }
      for table in ["Z_3BACKLINKS", "Z_4ASSIGNEES", "Z_4TAGS", "Z_7FRIENDS"] {
        let references = RenumberedStore.references.flatMap(\.columns)
          .filter { $0.table == table }.map(\.column)
        try copyRows(of: table, moving: references, database)
      }
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(2 * distance) WHERE Z_MAX > 0 AND Z_ENT < 16000")
      try copyFiles(files, database)
    }
  }

  private static func copyRows(
    of table: String, moving references: [String], _ database: GeneratorDatabase
  ) throws {
    let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')")
      .map { $0[0].text }
    let values = columns.map { references.contains($0) ? "\($0) + \(distance)" : $0 }
    try database.run(
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM \(table)")
  }

  private static func copyFiles(_ files: StoreFiles, _ database: GeneratorDatabase) throws {
    let rows = try database.rows(
      "SELECT Z_PK, CAST(substr(ZCONTENT, 2, 36) AS TEXT) FROM ZATTACHMENTENTITY "
        + "WHERE substr(ZCONTENT, 1, 1) = x'02' AND length(ZCONTENT) = 38 AND Z_PK > \(distance)")
    for (number, row) in rows.enumerated() {
      let name = "C0000000-0000-4000-8000-00000\(number + 1_000_000)"
      let folder = files.externalDataFolder
      guard FileManager.default.fileExists(atPath: "\(folder)/\(row[1].text)") else { continue }
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(row[1].text)", toPath: "\(folder)/\(name)")
      try database.run(
        "UPDATE ZATTACHMENTENTITY SET ZCONTENT = ? WHERE Z_PK = ?", [.external(name), row[0]])
    }
  }

  /// Lets some relationships of the originals lead to copies instead.
  static func mix(_ path: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try edit(path) { database in
      for (_, columns) in RenumberedStore.references {
        for (table, column) in columns
        where !["ZSETTINGS", "ZPERSON", "REFLEXIVE"].contains(column) {
          let salt = 1 + random.below(1000)
          try database.run(
            "UPDATE OR IGNORE \(table) SET \(column) = \(column) + \(distance) "
              + "WHERE \(column) < \(distance) AND (rowid * \(salt)) % 3 = 0")
        }
      }
    }
  }

  /// Edits a store without its triggers, which come back.
  static func edit(_ path: String, _ body: (GeneratorDatabase) throws -> Void) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    let triggers = try database.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    ).map { ($0[0].text, $0[1].text) }
    for (name, _) in triggers { try database.run("DROP TRIGGER \"\(name)\"") }
    try body(database)
    for (_, text) in triggers { try database.run(text) }
  }
}
