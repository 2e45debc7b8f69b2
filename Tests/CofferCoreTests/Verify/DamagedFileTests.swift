internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The same damage of a file has the same name in everything that reads it.
@Suite struct DamagedFileTests {
  /// The sentences of a verification, an export, an inspection, a repair and a rescue.
  private static func sentences(of path: String, in folder: TemporaryDirectory) -> [String] {
    func sentence(_ body: () throws -> String?) -> String {
      do {
        return try body() ?? "none"
      } catch let error as CofferError {
        return error.detail
      } catch {
        return "\(error)"
      }
    }
    return [
      sentence { try Verification(of: path).findings.first?.code.meaning },
      sentence {
        try StoreExporter().export(storeAt: path, to: folder.file("Store.tar.gz"))
          .findings.first?.code.meaning
      },
      sentence { try StoreInspector().inspect(path).modelProblem },
      sentence { try StoreRepairer().plan(path).remaining.first?.code.meaning },
      sentence {
        try StoreRescuer().rescue(path, to: folder.file("New.sqlite")).problem?.detail
      },
    ]
  }

  @Test(arguments: [
    ("missing-metadata", "the store metadata is missing"),
    ("missing-metadata-table", "the store metadata is missing"),
    ("missing-primary-key-table", "the table of entity numbers is missing"),
  ])
  func whatEveryStoreHasIsMissing(_ name: String, _ sentence: String) throws {
    let sample = try SampleCopy()
    try #require(Damage.named(name)).apply(to: sample.path)
    let found = Self.sentences(of: sample.path, in: sample.folder)
    #expect(found.dropFirst().allSatisfy { $0 == sentence }, "\(found)")
    #expect(try Verification(of: sample.path).findings.contains { $0.code.meaning == sentence })
  }

  /// An inspection and an export report the same as a verification, and a repair reports that it stays.
  @Test(arguments: [
    ("DELETE FROM Z_MODELCACHE", "the store has no copy of its model although"),
    ("DROP TABLE Z_MODELCACHE", "the store has no copy of its model although"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = x''", "the store's copy of its model cannot be read"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "the store's copy of its model cannot be read"),
  ])
  func lackOfTheModelHasOneSentence(_ statement: String, _ sentence: String) throws {
    let sample = try SampleCopy(journal: .delete, changedBy: statement)
    let store = try PersistentStore(readingFrom: sample.path)
    let found = try [
      store.modelDefect, StoreInspector().inspect(sample.path).modelProblem,
      Verification(of: sample.path).findings.map(\.code.meaning)
        .first { $0.contains("of its model") },
      StoreRepairer().plan(sample.path).remaining.map(\.code.meaning)
        .first { $0.contains("of its model") },
    ]
    #expect(found.allSatisfy { $0?.hasPrefix(sentence) ?? false }, "\(found)")
  }

  @Test func damagedPagesComeFirst() throws {
    let sample = try SampleCopy(journal: .delete)
    try Damage.brokenPage.apply(to: sample.path)
    let found = Self.sentences(of: sample.path, in: sample.folder)
    #expect(found[0] == CofferError.pageDamage && found[1] == CofferError.pageDamage, "\(found)")
    #expect(found[4] == CofferError.pageDamage, "\(found)")
  }

  /// A reference dangles for certain if every page that leads to its destination is readable.
  @Test func whatIsMissingForCertainDoesNotFollowFromDamage() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Damaged.sqlite")
    try FileManager.default.copyItem(atPath: SalvageTwin.path(), toPath: path)
    try GeneratorDatabase(path: path).run(
      "UPDATE ZATTACHMENTENTITY SET ZITEM = 1000000 WHERE Z_PK IN "
        + "(SELECT Z_PK FROM ZATTACHMENTENTITY ORDER BY Z_PK LIMIT 3)")
    func dangling() throws -> Int {
      try Verification(of: path).findings.count { $0.code == .danglingRelationship }
    }
    #expect(try dangling() == 3)
    let map = try PageMap(path)
    let leaves = map.pages(of: "ZITEMENTITY", .tableLeaf)
    try #require(leaves.count > 2)
    try PageDamage.zeros(leaves[1].number).apply(to: path, pageSize: map.pageSize)
    #expect(try dangling() == 3)
    #expect(try Verification(of: path).findings.contains { $0.code == .followsFromDamage })
  }

  @Test func aLostHeaderIsNamed() throws {
    let sample = try SampleCopy(journal: .delete)
    let url = URL(fileURLWithPath: sample.path)
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: url)
    let found = Set(Self.sentences(of: sample.path, in: sample.folder))
    #expect(found == ["it begins with zeros, so its header is lost"])
  }

  /// The log of another store hides this store, or garbles it.
  @Test func theLogOfAnotherStoreIsNoPartOfThisOne() throws {
    let sample = try SampleCopy(journal: .delete)
    let before = try Verification(of: sample.path).summary
    let folder = try TemporaryDirectory()
    let other = folder.file("Other.sqlite")
    let database = try GeneratorDatabase(path: other)
    for sql in [
      "PRAGMA journal_mode = wal", "PRAGMA wal_autocheckpoint = 0",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "INSERT INTO Z_METADATA VALUES (1, 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', NULL)",
    ] { try database.run(sql) }
    try FileManager.default.copyItem(atPath: other + "-wal", toPath: sample.path + "-wal")
    let sentences = Self.sentences(of: sample.path, in: sample.folder)
    #expect(
      Set(sentences) == [
        "its -wal file does not belong to it, and without that file it is sound"
      ])
    let rescued = try Verification(of: sample.folder.file("New.sqlite")).summary
    #expect(rescued.objectCount == before.objectCount)
  }

  @Test func aStoreThatIsAllInItsLostLogIsNoOtherDatabase() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Empty.sqlite")
    let database = try GeneratorDatabase(path: path)
    try database.run("PRAGMA journal_mode = wal")
    let sentences = Set(Self.sentences(of: path, in: folder))
    #expect(sentences == ["it has no tables, and its -wal file is missing"])
  }
}
