internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct GeneratedStoreTests {
  let directory: TemporaryDirectory
  let path: String
  let summary: GeneratedStoreSummary
  let database: GeneratorDatabase

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("Large.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 4000
    options.externalCount = 3
    options.seed = 11
    summary = try StoreMaker.write(to: path, options)
    database = try GeneratorDatabase(path: path)
  }

  @Test func hasAsManyObjectsAsAskedFor() throws {
    let counts = try TodoModel.schema.tables.map {
      try database.integer("SELECT count(*) FROM \($0.name)") ?? 0
    }
    #expect(counts.reduce(0, +) == 4000)
    #expect(counts.allSatisfy { $0 > 0 })
    #expect(summary.objects == 4000)
    #expect(summary.externalFiles == 3)
    #expect(StoreFiles(path).externalFileNames.count == 3)
  }

  @Test func isAnIntactDatabase() throws {
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func isTheSameForTheSameSeed() throws {
    var options = GeneratorOptions()
    options.objectCount = 300
    var sums: [[StoreValue]] = []
    for (name, seed) in [("a", 5), ("b", 5), ("c", 6)] as [(String, UInt64)] {
      options.seed = seed
      let path = directory.file("\(name).sqlite")
      try StoreMaker.write(to: path, options)
      sums.append(
        try GeneratorDatabase(path: path)
          .rows("SELECT group_concat(ZTITLE || ZCREATEDAT || hex(ZUUID)) FROM ZITEMENTITY")
          .first ?? [])
    }
    #expect(sums[0] == sums[1])
    #expect(sums[0] != sums[2])
  }

  /// What must not be found in a store without damage (store-format, section 8).
  private static let problems = [
    "SELECT 1 FROM ZITEMENTITY WHERE Z_ENT NOT IN (3, 4, 5) OR Z_OPT < 1",
    """
    SELECT 1 FROM ZATTACHMENTENTITY a LEFT JOIN ZITEMENTITY i ON i.Z_PK = a.ZITEM
    WHERE a.ZITEM NOT NULL AND (a.Z2_ITEM IS NOT i.Z_ENT OR a.Z_FOK_ITEM IS NULL)
    """,
    """
    SELECT 1 FROM ZATTACHMENTENTITY WHERE ZITEM NOT NULL
    GROUP BY ZITEM, Z_FOK_ITEM HAVING count(*) > 1
    """,
    """
    SELECT 1 FROM ZITEMENTITY c LEFT JOIN ZITEMENTITY p ON p.Z_PK = c.ZPARENT
    WHERE c.ZPARENT NOT NULL AND (c.Z4_PARENT IS NOT p.Z_ENT OR p.Z_ENT NOT IN (4, 5))
    """,
    """
    SELECT 1 FROM ZITEMENTITY t LEFT JOIN ZLOCATIONENTITY l ON l.Z_PK = t.ZLOCATION
    WHERE t.ZLOCATION NOT NULL AND t.ZLOCATIONNAME IS NOT l.ZNAME
    """,
    """
    SELECT 1 FROM ZLOCATIONENTITY l WHERE ZTODOCOUNT <>
    (SELECT count(*) FROM ZITEMENTITY t WHERE t.ZLOCATION = l.Z_PK)
    """,
    """
    SELECT 1 FROM ZPERSONENTITY p LEFT JOIN ZSETTINGSENTITY s ON s.Z_PK = p.ZSETTINGS
    WHERE s.ZPERSON IS NOT p.Z_PK
    """,
    """
    SELECT 1 FROM Z_4TAGS j LEFT JOIN ZITEMENTITY i ON i.Z_PK = j.Z_4TODOS
    LEFT JOIN ZTAGENTITY t ON t.Z_PK = j.Z_9TAGS
    WHERE i.Z_ENT IS NULL OR i.Z_ENT NOT IN (4, 5) OR t.Z_PK IS NULL
    """,
    """
    SELECT 1 FROM Z_3BACKLINKS j LEFT JOIN ZITEMENTITY a ON a.Z_PK = j.Z_3LINKS
    LEFT JOIN ZITEMENTITY b ON b.Z_PK = j.Z_3BACKLINKS WHERE a.Z_ENT IS NOT 3 OR b.Z_ENT IS NOT 3
    """,
    "SELECT 1 FROM Z_4ASSIGNEES GROUP BY Z_7ASSIGNEES, Z_FOK_4ASSIGNMENTS HAVING count(*) > 1",
    "SELECT 1 FROM Z_4ASSIGNEES GROUP BY Z_4ASSIGNMENTS, Z_FOK_7ASSIGNEES HAVING count(*) > 1",
    "SELECT 1 FROM Z_3BACKLINKS GROUP BY Z_3BACKLINKS, Z_FOK_3LINKS HAVING count(*) > 1",
    "SELECT 1 FROM ZVISITENTITY WHERE (Z6VISITS IS NULL) <> (Z_FOK_6VISITS IS NULL)",
    "SELECT 1 FROM ACHANGE LEFT JOIN ATRANSACTION t ON t.Z_PK = ZTRANSACTIONID WHERE t.Z_PK IS NULL",
    """
    SELECT 1 FROM ACHANGE c JOIN ZITEMENTITY i ON i.Z_PK = c.ZENTITYPK
    WHERE c.ZCHANGETYPE = 2 OR c.ZENTITY <> i.Z_ENT OR (c.ZCHANGETYPE = 1 AND i.Z_OPT < 2)
    """,
    """
    SELECT 1 FROM Z_PRIMARYKEY WHERE Z_MAX < CASE Z_NAME
    WHEN 'ItemEntity' THEN (SELECT max(Z_PK) FROM ZITEMENTITY)
    WHEN 'TagEntity' THEN (SELECT max(Z_PK) FROM ZTAGENTITY) ELSE 0 END
    """,
  ]

  @Test(arguments: problems) func isConsistent(_ query: String) throws {
    #expect(try database.rows(query).isEmpty)
  }

  @Test(arguments: [
    "SELECT 1 FROM ZITEMENTITY WHERE ZPARENT NOT NULL",
    "SELECT 1 FROM ZITEMENTITY WHERE ZTEXT1 = ''",
    "SELECT 1 FROM ZITEMENTITY WHERE typeof(ZCREATEDAT) = 'integer'",
    "SELECT 1 FROM ZATTACHMENTENTITY WHERE substr(ZCONTENT, 1, 1) = x'01'",
    "SELECT 1 FROM ZATTACHMENTENTITY WHERE substr(ZCONTENT, 1, 1) = x'02'",
    "SELECT 1 FROM Z_7FRIENDS", "SELECT 1 FROM Z_3BACKLINKS", "SELECT 1 FROM Z_4ASSIGNEES",
    "SELECT 1 FROM ACHANGE WHERE length(ZCOLUMNS) > 0",
  ])
  func holds(_ query: String) throws {
    #expect(try !database.rows(query).isEmpty)
  }

  @Test func textsAreValid() throws {
    for row in try database.rows("SELECT ZTITLE, ZTEXT, ZTEXT1 FROM ZITEMENTITY") {
      for case .text(let bytes) in row {
        #expect(String(validating: bytes, as: UTF8.self) != nil)
      }
    }
  }

  @Test(arguments: [10, 20, 99]) func aSmallStoreHasEveryTable(_ count: Int) throws {
    var options = GeneratorOptions()
    options.objectCount = count
    let path = directory.file("Small.sqlite")
    try StoreMaker.write(to: path, options)
    let small = try GeneratorDatabase(path: path)
    let counts = try TodoModel.schema.tables.map {
      try small.integer("SELECT count(*) FROM \($0.name)") ?? 0
    }
    #expect(counts.reduce(0, +) == count)
    #expect(counts.allSatisfy { $0 > 0 })
    for query in Self.problems { #expect(try small.rows(query).isEmpty) }
  }

  @Test func hasAsManyBytesOfBlobsAsAskedFor() throws {
    var options = GeneratorOptions()
    options.objectCount = 2000
    options.blobs = .heavy
    options.blobBytes = 8_000_000
    let path = directory.file("Blobs.sqlite")
    try StoreMaker.write(to: path, options)
    let bytes = try GeneratorDatabase(path: path)
      .integer("SELECT sum(length(ZCONTENT)) FROM ZATTACHMENTENTITY")
    #expect((7_000_000...9_000_000).contains(try #require(bytes)))
  }

  @Test func tooFewObjectsAreRefused() {
    var options = GeneratorOptions()
    options.objectCount = 9
    #expect(throws: GeneratorError.self) {
      try StoreMaker.write(to: directory.file("x.sqlite"), options)
    }
  }
}
