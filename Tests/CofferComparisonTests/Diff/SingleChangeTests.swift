internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// One change to a copy of the sample store is found as exactly that one difference.
@Suite struct SingleChangeTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  /// A change and the expected differences.
  struct Change: Sendable, CustomTestStringConvertible {
    var statements: [String]
    var expected: [String]

    init(_ statements: String..., expected: String...) {
      self.statements = statements
      self.expected = expected
    }

    var testDescription: String { statements.joined(separator: "; ") }
  }

  static let objects: [Change] = [
    Change(
      "UPDATE ZPERSONENTITY SET ZNAME = 'Grace' WHERE Z_PK = 1",
      expected: "changed PersonEntity/p1 attribute:name"),
    Change(
      "UPDATE ZPERSONENTITY SET ZNAME = NULL, ZEMAIL = 'a' WHERE Z_PK = 1",
      expected: "changed PersonEntity/p1 attribute:email attribute:name"),
    // The same letter, composed in another way.
    Change(
      "UPDATE ZITEMENTITY SET ZTITLE = replace(ZTITLE, 'e' || char(769), char(233)) WHERE Z_PK = 7",
      expected: "changed NoteEntity/p7 attribute:title"),
    // The same bytes in another storage class.
    Change(
      "UPDATE ZPERSONENTITY SET ZNAME = x'416461204c6f76656c616365' WHERE Z_PK = 1",
      expected: "changed PersonEntity/p1 attribute:name"),
    Change(
      "UPDATE ZITEMENTITY SET ZUUID = zeroblob(16) WHERE Z_PK = 2",
      expected: "changed TodoEntity/p2 attribute:uuid"),
    Change(
      "UPDATE ZPERSONENTITY SET Z_OPT = 77 WHERE Z_PK = 1",
      expected: "changed PersonEntity/p1 version:"),
    Change(
      "UPDATE ZITEMENTITY SET Z_ENT = 5 WHERE Z_PK = 1",
      expected: "changed RecurringTodoEntity/p1 entity:"),
    Change(
      "UPDATE ZITEMENTITY SET ZAUTHOR = 3 WHERE Z_PK = 6",
      expected: "changed NoteEntity/p6 relationship:author"),
    Change(
      "UPDATE ZITEMENTITY SET Z4_PARENT = 5 WHERE Z_PK = 3",
      expected: "changed TodoEntity/p3 relationship:parent"),
    Change(
      "UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 9999 WHERE Z_PK = 4",
      expected: "changed AttachmentEntity/p4 order:item"),
    Change(
      "UPDATE ZVISITENTITY SET Z6VISITS = 2 WHERE Z_PK = 3",
      expected: "changed VisitEntity/p3 owner:LocationEntity.visits"),
    Change(
      "UPDATE ZVISITENTITY SET Z_FOK_6VISITS = 1 WHERE Z_PK = 3",
      expected: "changed VisitEntity/p3 order:LocationEntity.visits"),
    Change(
      "UPDATE ZLOCATIONENTITY SET ZCITY = 'Bonn' WHERE Z_PK = 1",
      expected: "changed LocationEntity/p1 attribute:place.address.city"),
    Change(
      "UPDATE ZLOCATIONENTITY SET ZCITY = 'Bonn' WHERE Z_PK = 3",
      expected: "changed LocationEntity/p3 attribute:place.address.city"),
    Change(
      "UPDATE ZITEMENTITY SET ZAUTHOR = 3 WHERE Z_PK = 1",
      expected: "changed TodoEntity/p1 column:ZAUTHOR"),
    Change("DELETE FROM ZPERSONENTITY WHERE Z_PK = 6", expected: "removed PersonEntity/p6"),
    Change("DELETE FROM ZITEMENTITY WHERE Z_PK = 8", expected: "removed NoteEntity/p8"),
    Change(
      "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (-5, 9, 1, 'x')",
      expected: "added TagEntity/p-5"),
    Change(
      "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 9, 1)",
      expected: "added TagEntity/p9223372036854775807"),
    Change(
      "UPDATE ZVISITENTITY SET Z_PK = 20 WHERE Z_PK = 2",
      expected: "removed VisitEntity/p2", "added VisitEntity/p20"),
    Change(
      "DELETE FROM ZVISITENTITY",
      expected: "removed VisitEntity/p1", "removed VisitEntity/p2", "removed VisitEntity/p3",
      "removed VisitEntity/p4"),
  ]

  static let others: [Change] = [
    Change(
      "DELETE FROM Z_4TAGS WHERE Z_4TODOS = 1 AND Z_9TAGS = 2",
      expected: "removed TodoEntity.tags 1-2"),
    Change("INSERT INTO Z_4TAGS VALUES (3, 7)", expected: "added TodoEntity.tags 3-7"),
    Change(
      "UPDATE Z_4ASSIGNEES SET Z_FOK_4ASSIGNMENTS = 1 WHERE Z_4ASSIGNMENTS = 1 AND Z_7ASSIGNEES = 2",
      expected: "changed TodoEntity.assignees 1-2"),
    Change(
      "INSERT INTO Z_7FRIENDS VALUES (4, 5)", expected: "added PersonEntity.friends 4-5"),
    Change("UPDATE Z_METADATA SET Z_UUID = 'X'", expected: "changed store-uuid"),
    Change(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'TagEntity'",
      expected: "changed primary-key-counter TagEntity"),
    Change("PRAGMA user_version = 5", expected: "changed setting user version"),
    Change("PRAGMA journal_mode = DELETE", expected: "changed setting journal mode"),
    Change("CREATE INDEX extra ON ZTAGENTITY (ZCOLOR)", expected: "added schema index extra"),
    Change(
      "DELETE FROM ACHANGE WHERE Z_PK = 2", "UPDATE ACHANGE SET ZENTITYPK = 90 WHERE Z_PK = 3",
      expected: "history ACHANGE +0 -1 ~1"),
    Change(
      "CREATE TABLE notes (a, b)", "INSERT INTO notes VALUES (1, 2), (3, 4)",
      expected: "added schema table notes", "unknown notes +2 -0 ~0"),
    Change("UPDATE Z_METADATA SET Z_PLIST = x'00'", expected: "changed metadata"),
    Change("UPDATE Z_METADATA SET Z_VERSION = 2", expected: "changed metadata version"),
  ]

  @Test(arguments: objects + others, Form.allCases)
  func isFound(_ change: Change, _ form: Form) throws {
    let changed = try samples.copy(changing: change.statements)
    let (first, second) = try form.sources(samples.sample, changed, samples)
    // Unique values identify the objects of stores with other UUIDs, and some people have none.
    let hasOtherUUID = change.expected == ["changed store-uuid"]
    let found = try differences(first, second, matchesByObjectID: hasOtherUUID)
    #expect(found.texts == change.expected)
    #expect(!found.summary.isEqual)
  }

  @Test(arguments: objects) func isCounted(_ change: Change) throws {
    let changed = try samples.copy(changing: change.statements)
    let summary = try differences(samples.sample, changed).summary
    #expect(summary.objects.total == change.expected.count)
    for kind in ChangeKind.allCases {
      let expected = change.expected.filter { $0.hasPrefix(kind.rawValue) }.count
      switch kind {
      case .added: #expect(summary.objects.added == expected)
      case .removed: #expect(summary.objects.removed == expected)
      case .changed: #expect(summary.objects.changed == expected)
      }
    }
    #expect(summary.pairs.total == 0)
    #expect(summary.store.total == 0)
    #expect(
      summary.secondObjectCount - summary.firstObjectCount
        == summary.objects.added - summary.objects.removed)
  }

  @Test func valuesAppearOnlyWhenAskedFor() throws {
    let changed = try samples.copy(changing: [
      "UPDATE ZPERSONENTITY SET ZNAME = 'Grace', ZEMAIL = NULL WHERE Z_PK = 1",
      "UPDATE Z_METADATA SET Z_UUID = 'X'",
    ])
    let silent = try differences(samples.sample, changed, matchesByObjectID: true).texts
    #expect(
      silent == [
        "changed store-uuid", "changed PersonEntity/p1 attribute:email attribute:name",
      ])
    let found = try differences(samples.sample, changed, values: true, matchesByObjectID: true)
      .texts
    #expect(found.first?.hasSuffix(" > X") == true)
    #expect(
      found.last == #"changed PersonEntity/p1 attribute:email "ada@example.org" > nil "#
        + #"attribute:name "Ada Lovelace" > "Grace""#)
  }
}
