internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable import CofferCore

/// Whether the parts of an archive end where the rule of the format says.
@Suite struct PartEndsTests {
  /// Tables with each kind of key, of two to nine parts.
  private static let tables = """
    CREATE TABLE NUMBERED (text);
    CREATE TABLE KEYED (value, number INTEGER PRIMARY KEY);
    CREATE TABLE NAMED (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE PAIRED (a INTEGER, b INTEGER, value, PRIMARY KEY (b, a)) WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO NUMBERED SELECT printf('%.*c', 3000, 'x') FROM n;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO KEYED SELECT zeroblob(1000 + 5 * i), i * 7 FROM n;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50)
    INSERT INTO NAMED SELECT 'n' || i, zeroblob(90000) FROM n;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO PAIRED SELECT i, i % 10, printf('%.*c', 3000, 'x') FROM n;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME)
    SELECT 100 + i, (SELECT Z_ENT FROM ZTAGENTITY), 1, i || printf('%.*c', 3000, 'x') FROM n
    """

  @Test func thoseOfAnExportDo() throws {
    let sample = try SampleCopy(changedBy: Self.tables)
    let archive = sample.folder.file("Large.coffer.tar.gz")
    try StoreExporter(options: ExportOptions(level: 1))
      .export(PersistentStore(readingFrom: sample.path), to: archive)
    let parts = try ArchiveRewriter(archive).entries.map(\.name).filter { $0.hasSuffix(".ndjson") }
    for (folder, least) in [
      ("entities/TagEntity", 3), ("system/NUMBERED", 3), ("system/KEYED", 3), ("system/NAMED", 2),
      ("system/PAIRED", 3),
    ] {
      #expect(parts.count { $0.hasPrefix(folder) } >= least, "\(folder): \(parts)")
    }
    let findings = try Verification(of: archive).findings
    #expect(findings.filter { $0.code == .archiveUnusualParts } == [])
  }

  @Test func theFirstOfATableThatDoesNotIsReported() throws {
    let sample = try SampleCopy(changedBy: Self.tables)
    let path = sample.folder.file("Large.coffer.tar.gz")
    try StoreExporter(options: ExportOptions(level: 1))
      .export(PersistentStore(readingFrom: sample.path), to: path)
    var archive = try ArchiveRewriter(path)
    // In each table one line goes to the part after its own: that one ends too early.
    for folder in ["entities/TagEntity", "system/NUMBERED", "system/PAIRED"] {
      var moved = ""
      try archive.changeLines(of: "\(folder)/00001.ndjson") { moved = $0.removeLast() }
      try archive.changeLines(of: "\(folder)/00002.ndjson") { $0.insert(moved, at: 0) }
    }
    try archive.write(to: path)
    let verified = try Verification(of: path)
    let found = verified.findings.filter { $0.code.check == .archive }
    #expect(found.map(\.code) == Array(repeating: .archiveUnusualParts, count: 3))
    #expect(
      found.map(\.detail).sorted() == [
        "entities/TagEntity/00001.ndjson: the part ends too early",
        "system/NUMBERED/00001.ndjson: the part ends too early",
        "system/PAIRED/00001.ndjson: the part ends too early",
      ])
    #expect(verified.summary.contentDigest != nil)
  }
}
