internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// An import restores every completed export: a store without such an export is damaged, and a salvage
/// saves its readable part.
@Suite struct RestorableExportTests {
  /// Something done to the sample store that no import could repeat.
  struct Case: Sendable, CustomStringConvertible {
    /// What is wrong.
    let description: String
    let sql: String
    /// What the error names.
    let item: String

    init(_ description: String, _ item: String, _ sql: String) {
      (self.description, self.sql, self.item) = (description, sql, item)
    }
  }

  /// Statements that change the text of something in the list of the schema.
  private static func replacing(_ old: String, _ new: String, in name: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)') "
      + "WHERE name = '\(name)'"
  }

  static let cases = [
    Case(
      "a collation that nobody has", "table ZTAGENTITY",
      replacing("ZNAME VARCHAR", "ZNAME VARCHAR COLLATE none_such", in: "ZTAGENTITY")),
    Case(
      "an index over a function that nobody has", "index i",
      "CREATE INDEX i ON ZTAGENTITY (ZNAME); "
        + replacing("(ZNAME)", "(none_such(ZNAME))", in: "i")),
    Case(
      "an index of a collation that nobody has", "index i",
      "CREATE INDEX i ON ZTAGENTITY (ZNAME); "
        + replacing("(ZNAME)", "(ZNAME COLLATE none_such)", in: "i")),
    Case(
      "a statement longer than those of an archive", "index i",
      """
      CREATE INDEX i ON ZTAGENTITY (ZCOLOR); PRAGMA writable_schema = ON; UPDATE sqlite_master
      SET sql = replace(sql, '(', '/*' || hex(zeroblob(300000)) || '*/ (') WHERE name = 'i'
      """),
    Case(
      "more statements than those of an archive", "trigger t9",
      "PRAGMA writable_schema = ON; "
        + (0..<10).map { number in
          "CREATE TRIGGER t\(number) AFTER INSERT ON ZTAGENTITY BEGIN SELECT 1; END; "
            + "UPDATE sqlite_master SET sql = replace(sql, 'SELECT', 'SELECT/*' || "
            + "hex(zeroblob(57000)) || '*/') WHERE name = 't\(number)'; "
        }.joined()),
    Case(
      "a unique index over equal values", "index i",
      """
      UPDATE ZTAGENTITY SET ZCOLOR = 7; CREATE INDEX i ON ZTAGENTITY (ZCOLOR);
      \(replacing("CREATE INDEX", "CREATE UNIQUE INDEX", in: "i"))
      """),
    Case(
      "a unique index over a part of the rows", "index i",
      """
      UPDATE ZTAGENTITY SET ZCOLOR = 7; CREATE INDEX i ON ZTAGENTITY (ZCOLOR) WHERE ZCOLOR > 5;
      \(replacing("CREATE INDEX", "CREATE UNIQUE INDEX", in: "i"))
      """),
    Case(
      "an index over a call that fails for a row", "index i",
      """
      UPDATE ZTAGENTITY SET ZCOLOR = -9223372036854775807 - 1;
      CREATE INDEX i ON ZTAGENTITY (ZCOLOR); \(replacing("(ZCOLOR)", "(abs(ZCOLOR))", in: "i"))
      """),
    Case(
      "a column that must not be empty and is", "table ZTAGENTITY",
      "UPDATE ZTAGENTITY SET ZCOLOR = NULL; "
        + replacing("ZCOLOR INTEGER", "ZCOLOR INTEGER NOT NULL", in: "ZTAGENTITY")),
    Case(
      "a condition that a row breaks", "table ZTAGENTITY",
      replacing("ZCOLOR INTEGER", "ZCOLOR INTEGER CHECK (ZCOLOR < -5)", in: "ZTAGENTITY")),
    Case(
      "a computed column that fails for a row", "table t",
      """
      CREATE TABLE t (a, b); INSERT INTO t (a) VALUES (-9223372036854775807 - 1);
      \(replacing(", b", ", b AS (abs(a)) NOT NULL", in: "t"))
      """),
    Case(
      "a strict table with a value of another type", "table t",
      "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES ('x'); "
        + replacing("(a INTEGER)", "(a INTEGER) STRICT", in: "t")),
    Case(
      "a view in the place of a table", "table t",
      "CREATE TABLE t (a); " + replacing("(a)", "AS SELECT 1 AS a", in: "t")),
    Case(
      "a table listed under two names", "table ztagentity",
      """
      PRAGMA writable_schema = ON; INSERT INTO sqlite_master
      SELECT type, lower(name), lower(name), rootpage, lower(sql) FROM sqlite_master
      WHERE name = 'ZTAGENTITY'
      """),
    Case(
      "a trigger of a table that is not there", "trigger t",
      """
      CREATE TRIGGER t AFTER INSERT ON ZTAGENTITY BEGIN SELECT 1; END;
      \(replacing("ON ZTAGENTITY", "ON none_such", in: "t"))
      """),
  ]

  @Test(arguments: cases) func whatNoImportCouldRestoreIsDamaged(_ subject: Case) throws {
    let sample = try Self.store(subject.sql)
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    let error = #expect(throws: CofferError.self) {
      try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    }
    #expect(error?.code == .damagedStore, "\(String(describing: error))")
    #expect(try folder.contents() == [])
    // SQLite itself refuses some of them, and says so in its words.
    guard error?.detail.hasPrefix("malformed database schema") != true else { return }
    #expect(error?.advice == [.salvageStore])
    #expect(error?.place.item == subject.item, "\(String(describing: error))")
  }

  @Test(arguments: cases) func aSalvageOfItCanBeImported(_ subject: Case) throws {
    let sample = try Self.store(subject.sql)
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    do {
      let summary = try SalvagedStore.export(sample.path, to: archive)
      #expect(summary.salvage != nil)
      let codes: Set = [FindingCode.unrestorableSchema, .lostSchema]
      #expect(summary.findings.contains { codes.contains($0.code) }, "\(summary.findings)")
    } catch let error as CofferError where error.code == .damagedStore {
      return  // SQLite does not even list the tables.
    }
    try StoreImporter().import(archive, to: folder.file("Copy.sqlite"))
    let tags = try Self.tags(in: folder.file("Copy.sqlite"))
    let expected = try Self.tags(in: sample.path, isEdited: true)
    #expect(!tags.isEmpty && tags == expected)
  }

  @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY"])
  func aSalvageWithoutATableOfTheAdministrationCanBeImported(_ table: String) throws {
    let sample = try Self.store("DROP TABLE \(table)")
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    let summary = try SalvagedStore.export(sample.path, to: archive)
    #expect(
      summary.findings.contains { $0.code == .lostTable && $0.detail.contains("store/\(table)") })
    try StoreImporter().import(archive, to: folder.file("Copy.sqlite"))
    let rows = try SalvagedStore.rows(of: "ZTAGENTITY", in: folder.file("Copy.sqlite"))
    #expect(!rows.isEmpty)
    #expect(try SalvagedStore.rows(of: table, in: folder.file("Copy.sqlite")).isEmpty)
  }

  @Test func aPageThatShowsRowsAgainIsDamage() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Store.sqlite")
    try FileManager.default.copyItem(atPath: try SalvageTwin.path(), toPath: path)
    let map = try PageMap(path)
    let leaves = map.pages(of: "ZITEMENTITY", .tableLeaf)
    try #require(leaves.count > 4)
    try PageDamage.copy(from: leaves[1].number, to: leaves[2].number)
      .apply(to: path, pageSize: map.pageSize)
    let archive = folder.file("Store.coffer.tar.gz")
    let error = #expect(throws: CofferError.self) {
      try StoreExporter().export(try PersistentStore(readingFrom: path), to: archive)
    }
    #expect(error?.code == .damagedStore && error?.advice == [.salvageStore])
    #expect(error?.place.item?.hasPrefix("table ZITEMENTITY, row ") == true)
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  /// A copy of the sample store after some statements.
  private static func store(_ sql: String) throws -> SampleCopy {
    let sample = try SampleCopy(journal: .delete)
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    try database.run(sql)
    return sample
  }

  /// The keys and colors of the tags, whatever their schema says now.
  private static func tags(
    in path: String, isEdited: Bool = false
  ) throws -> [[StoreValue]] {
    let database = try GeneratorDatabase(path: path)
    if isEdited {
      try database.run(
        """
        PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE tbl_name = 'ztagentity' OR
        type <> 'table' OR name = 't'; UPDATE sqlite_master SET sql = 'CREATE TABLE ZTAGENTITY
        (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR)'
        WHERE name = 'ZTAGENTITY'; PRAGMA writable_schema = RESET
        """)
    }
    return try database.rows("SELECT Z_PK, ZCOLOR, ZNAME FROM ZTAGENTITY NOT INDEXED ORDER BY 1")
  }
}
