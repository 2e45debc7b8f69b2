internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Names of tables and columns are data, compared as SQLite compares them: names that differ there are never
/// equal.
@Suite struct HostileNameTests {
  @Test func namesThatDifferInTheirCompositionStayApart() throws {
    let sample = try SampleCopy(
      changedBy: """
        ALTER TABLE ZTAGENTITY ADD COLUMN "Z\u{c9}"; ALTER TABLE ZTAGENTITY ADD COLUMN "ZE\u{301}";
        UPDATE ZTAGENTITY SET "Z\u{c9}" = 1, "ZE\u{301}" = 2;
        CREATE TABLE "T\u{c9}" (a, "\u{e9}", "e\u{301}"); CREATE TABLE "TE\u{301}" (a);
        INSERT INTO "T\u{c9}" VALUES (1, 2, 3); INSERT INTO "TE\u{301}" VALUES (4)
        """)
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    for (sql, expected) in [
      ("SELECT * FROM \"T\u{c9}\"", [[1, 2, 3]]), ("SELECT * FROM \"TE\u{301}\"", [[4]]),
      ("SELECT \"Z\u{c9}\", \"ZE\u{301}\" FROM ZTAGENTITY LIMIT 1", [[1, 2]]),
    ] as [(String, [[StoreValue]])] {
      #expect(try SampleCopy.rows(trip.copy, sql) == expected)
    }
    #expect(try HostileOutcome(of: sample.path).isDone)
    let other = sample.folder.file("Other.sqlite")
    try FileManager.default.copyItem(atPath: trip.copy, toPath: other)
    try FileManager.default.copyItem(
      atPath: StorePaths(store: trip.copy).supportFolder,
      toPath: StorePaths(store: other).supportFolder)
    try GeneratorDatabase(path: other).run(
      """
      UPDATE "TE\u{301}" SET a = 5; UPDATE "T\u{c9}" SET "e\u{301}" = 6;
      UPDATE ZTAGENTITY SET "ZE\u{301}" = 7 WHERE Z_PK = 1
      """)
    #expect(
      try differences(trip.copy, other).texts == [
        "changed TagEntity/p1 column:ZE\u{301}", "unknown TE\u{301} +0 -0 ~1",
        "unknown T\u{c9} +0 -0 ~1",
      ])
  }

  @Test func supportFilesThatDifferInTheirCompositionStayApart() throws {
    let sample = try SampleCopy()
    let support = StorePaths(store: sample.path).supportFolder
    for (name, text) in [("\u{e9}", "composed"), ("e\u{301}", "decomposed")] {
      try FileManager.default.createDirectory(
        atPath: support, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: "\(support)/\(name)"))
    }
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    #expect(try HostileOutcome(of: sample.path).isDone)
    // Replacing a store compares the files of both by their names.
    try StoreImporter(options: ImportOptions(overwriting: true)).import(
      trip.archive, to: trip.copy)
    let copied = StorePaths(store: trip.copy).supportFolder
    #expect(try String(contentsOfFile: "\(copied)/e\u{301}", encoding: .utf8) == "decomposed")
    try Data("other".utf8).write(to: URL(filePath: "\(copied)/\u{e9}"))
    #expect(
      try differences(sample.path, trip.copy).texts == ["changed file \u{e9} 8 5"])
  }

  @Test func userInfoKeysThatDifferInTheirCompositionStayApart() throws {
    let info: [Name: ModelValue] = ["\u{e9}": .integer(1), "e\u{301}": .integer(2)]
    let model = ManagedObjectModel(
      entities: [EntityDescription(name: "Plain", userInfo: info)], source: .modelCache)
    let cached = try ModelCacheReader.read(compressed: try ModelCacheWriter.write(model))
    #expect(cached["Plain"]?.userInfo == info)
    let document = try ModelDocument(ModelDocument(model: model).value)
    #expect(document.model["Plain"]?.userInfo == info)
  }

  @Test func attributesThatDifferInTheirCompositionStayApart() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Store.sqlite")
    // The generator distinguishes names as Swift does, so the second attribute comes later.
    func model(_ names: [String]) -> ManagedObjectModel {
      let attributes = names.map { AttributeDescription(name: Name($0), type: .integer64) }
      return ManagedObjectModel(
        entities: [EntityDescription(name: "Plain", attributes: attributes)], source: .modelCache)
    }
    let builder = try SampleStoreBuilder(path: path, model: model(["\u{e9}"]))
    try builder.insert("Plain", ["\u{e9}": 7])
    try builder.finish()
    try builder.database.run(
      "ALTER TABLE ZPLAIN ADD COLUMN \"ZE\u{301}\" INTEGER; UPDATE ZPLAIN SET \"ZE\u{301}\" = 8")
    try builder.database.run(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?",
      [.blob(try ModelCacheWriter.write(model(["\u{e9}", "e\u{301}"])))])
    let trip = try RoundTrip(of: path)
    #expect(try trip.problems() == [])
    #expect(
      try SampleCopy.rows(trip.copy, "SELECT \"Z\u{c9}\", \"ZE\u{301}\" FROM ZPLAIN") == [[7, 8]])
  }

  @Test func namesOfAnyLettersAreCarried() throws {
    let names = [
      "a\"\"b", "line\nfeed", "😀", "]", "[x]", "a;b", "it's", "/*", "--x", " ", "..", "a/b", "%00",
      "\u{301}", "\u{202e}x", "rowid", "select", "$pk",
    ]
    let sql = names.map { name in
      "CREATE TABLE \"\(name)\" (\"\(name)\"); INSERT INTO \"\(name)\" VALUES (1)"
    }
    let sample = try SampleCopy(changedBy: sql.joined(separator: ";"))
    #expect(try RoundTrip(of: sample.path).problems() == [])
    #expect(try HostileOutcome(of: sample.path).isDone)
  }

  @Test func manyTablesAndColumnsAndLongNamesEndWithAResult() throws {
    let columns = (0..<1999).map { "c\($0)" }.joined(separator: ", ")
    let name = String(repeating: "n", count: 100_000)
    var sql = "CREATE TABLE wide (\(columns)); CREATE TABLE \"\(name)\" (\"\(name)\");"
    sql += "INSERT INTO wide (c0, c1998) VALUES (1, 2); INSERT INTO \"\(name)\" VALUES (1); BEGIN;"
    for number in 0..<500 {
      sql += "CREATE TABLE t\(number) (a); CREATE INDEX i\(number) ON t\(number) (a);"
    }
    let sample = try SampleCopy(changedBy: sql + "COMMIT")
    #expect(try HostileOutcome(of: sample.path).contradictions == [])
  }
}
