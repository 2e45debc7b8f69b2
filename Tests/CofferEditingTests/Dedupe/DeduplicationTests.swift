internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The object that remains, the values that it takes over, and refusals.
@Suite struct DeduplicationTests {
  private let directory: TemporaryDirectory
  private let store: String

  /// A store with three persons of one name, of whom the first two have settings.
  init() throws {
    directory = try TemporaryDirectory()
    store = directory.file("Store.sqlite")
    try DoubledStore.prepare(store, seed: 1)
    try DoubledStore.edit(store) { database in
      try database.run(
        """
        DELETE FROM Z_7FRIENDS; DELETE FROM Z_4ASSIGNEES;
        UPDATE ZITEMENTITY SET ZAUTHOR = NULL;
        UPDATE ZPERSONENTITY SET ZSETTINGS = NULL; DELETE FROM ZSETTINGSENTITY;
        DELETE FROM ZPERSONENTITY WHERE Z_PK NOT IN (SELECT Z_PK FROM ZPERSONENTITY LIMIT 3);
        """)
      let keys = try database.rows("SELECT Z_PK FROM ZPERSONENTITY ORDER BY Z_PK")
        .compactMap(\.first?.integer)
      for (number, key) in keys.enumerated() {
        try database.run(
          "UPDATE ZPERSONENTITY SET Z_PK = \(number + 1), ZNAME = 'Ada', ZBALANCE = NULL, "
            + "ZBIRTHDAY = NULL, ZAVATAR = NULL, ZEMAIL = NULL WHERE Z_PK = \(key)")
      }
      try database.run(
        """
        INSERT INTO ZSETTINGSENTITY (Z_PK, Z_ENT, Z_OPT, ZPERSON, ZLOCALE, ZUUID)
          SELECT e.Z_PK, n.Z_ENT, 1, e.Z_PK, 'en', randomblob(16) FROM ZPERSONENTITY AS e,
          Z_PRIMARYKEY AS n WHERE n.Z_NAME = 'SettingsEntity' AND e.Z_PK < 3;
        UPDATE ZPERSONENTITY SET ZSETTINGS = Z_PK WHERE Z_PK < 3;
        UPDATE ZPERSONENTITY SET ZBIRTHDAY = 7, ZEMAIL = 'second' WHERE Z_PK = 2;
        UPDATE ZPERSONENTITY SET ZEMAIL = 'third', ZBALANCE = 3 WHERE Z_PK = 3;
        UPDATE ZPERSONENTITY SET Z_OPT = 5;
        INSERT INTO Z_7FRIENDS VALUES (3, 2);
        """)
    }
  }

  private func options(_ survivor: DuplicateSurvivor) -> DeduplicationOptions {
    var options = DeduplicationOptions()
    options.naturalKeys = [NaturalKey(entityName: "PersonEntity", keyPaths: ["name"])]
    options.survivor = survivor
    return options
  }

  private func rows(_ query: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: store).rows(query)
  }

  private func persons() throws -> [[StoreValue]] {
    try rows("SELECT Z_PK, Z_OPT, ZSETTINGS, ZEMAIL, ZBIRTHDAY, ZBALANCE FROM ZPERSONENTITY")
  }

  /// The partner of the second one is removed with it, and nothing is filled in.
  @Test func theOldestRemainsAsItIs() throws {
    let summary = try StoreDeduplicator(options: options(.oldest)).deduplicate(store)
    #expect(summary.duplicateCount == 2)
    #expect(summary.cascadedCount == 1)
    #expect(try persons() == [[.integer(1), .integer(5), .integer(1), .null, .null, .null]])
    #expect(try rows("SELECT Z_PK, ZPERSON FROM ZSETTINGSENTITY") == [[.integer(1), .integer(1)]])
    #expect(summary.droppedCount == 1)
    // Friends of each other do not become friends of the remaining object.
    #expect(try rows("SELECT * FROM Z_7FRIENDS") == [])
  }

  /// A relationship that is its own inverse may be stored in one direction or in both.
  @Test func bothDirectionsOfAPairAreMoved() throws {
    try DoubledStore.edit(store) { database in
      try database.run(
        """
        UPDATE ZPERSONENTITY SET ZNAME = 'Bob' WHERE Z_PK = 3;
        DELETE FROM Z_7FRIENDS; INSERT INTO Z_7FRIENDS VALUES (1, 3), (2, 3), (3, 2);
        """)
    }
    try StoreDeduplicator(options: options(.oldest)).deduplicate(store)
    #expect(
      try rows("SELECT Z_7FRIENDS, REFLEXIVE FROM Z_7FRIENDS ORDER BY 1") == [[1, 3], [3, 1]])
  }

  @Test func theNewestTakesOverAPartner() throws {
    let summary = try StoreDeduplicator(options: options(.newest)).deduplicate(store)
    #expect(summary.duplicateCount == 2)
    #expect(
      try persons() == [
        [.integer(3), .integer(6), .integer(1), .string("third"), .null, .integer(3)]
      ])
    #expect(try rows("SELECT Z_PK, ZPERSON FROM ZSETTINGSENTITY") == [[.integer(1), .integer(3)]])
  }

  @Test func theMostCompleteGetsWhatItLacks() throws {
    try StoreDeduplicator(options: options(.mostComplete)).deduplicate(store)
    #expect(
      try persons() == [
        [
          .integer(2), .integer(6), .integer(2), .string("second"), .integer(7), .integer(3),
        ]
      ])
  }

  @Test func objectsWithoutAKeyStayAndAreListed() throws {
    var options = self.options(.oldest)
    options.naturalKeys = [NaturalKey(entityName: "PersonEntity", keyPaths: ["email"])]
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let summary = try StoreDeduplicator(options: options).deduplicate(store)
    let persons = try #require(summary.entities.first { $0.entityName == "PersonEntity" })
    #expect(persons.incompleteCount == 1)
    #expect(persons.incompleteExamples.map(\.primaryKey) == [1])
    #expect(summary.duplicateCount == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
  }

  /// The first of three has the second as its parent, and the second, which is removed, the third.
  @Test(arguments: [DuplicateSurvivor.oldest, .mostComplete])
  func aReferenceToADuplicateIsReplaced(_ survivor: DuplicateSurvivor) throws {
    let columns = try rows("SELECT name FROM pragma_table_info('ZITEMENTITY')").compactMap {
      if case .text(let bytes) = $0.first { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    let entity = try #require(columns.first { $0.hasSuffix("_PARENT") && !$0.contains("FOK") })
    let keys = try rows(
      "SELECT i.Z_PK FROM ZITEMENTITY AS i JOIN Z_PRIMARYKEY AS n USING (Z_ENT) "
        + "WHERE n.Z_NAME = 'TodoEntity' ORDER BY 1 LIMIT 3"
    ).compactMap(\.first?.integer)
    try #require(keys.count == 3)
    try DoubledStore.edit(store) { database in
      try database.run("UPDATE ZITEMENTITY SET ZPARENT = NULL, \(entity) = NULL")
      for (key, parent) in zip(keys, keys.dropFirst()) {
        try database.run(
          "UPDATE ZITEMENTITY SET ZTITLE = 'same', ZPARENT = \(parent), \(entity) = Z_ENT "
            + "WHERE Z_PK = \(key)")
      }
      try database.run("UPDATE ZITEMENTITY SET ZTITLE = 'parent' WHERE Z_PK = \(keys[2])")
    }
    var options = self.options(survivor)
    options.naturalKeys = [NaturalKey(entityName: "TodoEntity", keyPaths: ["title"])]
    let summary = try StoreDeduplicator(options: options).deduplicate(store)
    #expect(summary.droppedCount == 1)
    #expect(
      try rows("SELECT ZPARENT FROM ZITEMENTITY WHERE ZTITLE = 'same'") == [[.integer(keys[2])]])
  }

  @Test func aFriendOfItselfRemainsOne() throws {
    try DoubledStore.edit(store) { try $0.run("INSERT INTO Z_7FRIENDS VALUES (3, 3)") }
    let summary = try StoreDeduplicator(options: options(.oldest)).deduplicate(store)
    #expect(summary.droppedCount == 1)
    #expect(try rows("SELECT * FROM Z_7FRIENDS") == [[.integer(1), .integer(1)]])
  }

  /// The remaining object takes the position of the removed one, and new members come last.
  @Test func positionsAreKept() throws {
    try DoubledStore.edit(store) { database in
      try database.run(
        """
        INSERT INTO Z_4ASSIGNEES (Z_4ASSIGNMENTS, Z_7ASSIGNEES, Z_FOK_4ASSIGNMENTS, Z_FOK_7ASSIGNEES)
          SELECT i.Z_PK, 2, 2048, 2048 FROM ZITEMENTITY AS i, Z_PRIMARYKEY AS n
          WHERE n.Z_NAME = 'TodoEntity' AND i.Z_ENT = n.Z_ENT LIMIT 1
        """)
    }
    let before = try rows("SELECT Z_4ASSIGNMENTS FROM Z_4ASSIGNEES")
    let summary = try StoreDeduplicator(options: options(.oldest)).deduplicate(store)
    #expect(summary.movedCount == 1)
    #expect(
      try rows("SELECT Z_4ASSIGNMENTS, Z_7ASSIGNEES FROM Z_4ASSIGNEES")
        == before.map { $0 + [.integer(1)] })
  }

  @Test func aMirroredStoreIsRefused() throws {
    try DoubledStore.edit(store) { database in
      try database.run(
        "CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, ZKEY VARCHAR);"
          + "INSERT INTO ANSCKMETADATAENTRY VALUES (1, 'x')")
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let error = #expect(throws: CofferError.self) {
      try StoreDeduplicator(options: self.options(.oldest)).deduplicate(store)
    }
    #expect(error?.code == .mirroredStore)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    var options = self.options(.oldest)
    options.editing.allowsMirrored = true
    #expect(try StoreDeduplicator(options: options).deduplicate(store).duplicateCount == 2)
  }

  /// A list of at most twenty that would have thirty.
  @Test func aResultWithNewErrorsIsRefused() throws {
    try DoubledStore.edit(store) { database in
      try database.run(
        """
        UPDATE ZITEMENTITY SET ZTITLE = 'same' WHERE Z_PK IN (SELECT i.Z_PK FROM ZITEMENTITY AS i,
          Z_PRIMARYKEY AS n WHERE n.Z_NAME = 'NoteEntity' AND i.Z_ENT = n.Z_ENT LIMIT 2);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 15)
        INSERT INTO ZATTACHMENTENTITY (Z_PK, Z_ENT, Z_OPT, ZITEM, Z2_ITEM, Z_FOK_ITEM, ZCHECKSUM,
          ZFILENAME, ZSIZE, ZUUID)
        SELECT 1000 * i.Z_PK + 5000000 + c.n, a.Z_ENT, 1, i.Z_PK, i.Z_ENT, 100000 + 1024 * c.n, x'00',
          'x', 0, randomblob(16) FROM c, ZITEMENTITY AS i, Z_PRIMARYKEY AS a
          WHERE i.ZTITLE = 'same' AND a.Z_NAME = 'AttachmentEntity';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9000000 WHERE Z_NAME = 'AttachmentEntity';
        """)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    var options = self.options(.oldest)
    options.naturalKeys = [NaturalKey(entityName: "NoteEntity", keyPaths: ["title"])]
    for preview in [false, true] {
      let error = #expect(throws: CofferError.self) {
        let deduplicator = StoreDeduplicator(options: options)
        _ = try preview ? deduplicator.preview(store) : deduplicator.deduplicate(store)
      }
      #expect(error?.code == .newFindings)
      #expect(error?.findings.map(\.code.text).contains("too-many-destinations") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
  }

  @Test func keysThatAreNoneAreRefused() throws {
    for (entity, path, code) in [
      ("Nobody", "name", CofferError.Code.noSuchEntity),
      ("PersonEntity", "nothing", .noSuchProperty), ("PersonEntity", "friends", .noSuchProperty),
    ] {
      var options = self.options(.oldest)
      options.naturalKeys = [NaturalKey(entityName: Name(entity), keyPaths: [Name(path)])]
      let error = #expect(throws: CofferError.self) {
        try StoreDeduplicator(options: options).deduplicate(store)
      }
      #expect(error?.code == code)
    }
  }
}
