internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The law of the check of an edit: verifying the rows that it can have given findings finds what verifying all
/// rows of both states finds.
@Suite struct NewFindingsTests {
  private static let options: VerificationOptions = {
    var options = VerificationOptions()
    options.environment.storeAccess = .inPlace
    options.environment.limits.findings = .max
    return options
  }()

  /// The findings of a store that an earlier state did not have, by verifying all rows of both.
  private static func expected(in path: String, since earlier: String) throws -> [Finding] {
    let counts = FindingCounts()
    let verifier = Verifier(options: options)
    try verifier.verify(path) { (finding: Finding) in
      if finding.severity > .info { counts.add(finding) }
    }
    try verifier.verify(earlier) { (finding: Finding) in counts.remove(finding) }
    try verifier.verify(path) { (finding: Finding) in counts.collect(finding) }
    return counts.collected.findings
  }

  /// Compares both ways.
  ///
  /// - Returns: the findings; nil if all rows have to be verified.
  @discardableResult
  private static func check(
    _ path: String, since earlier: String, _ context: Comment
  ) throws -> [Finding]? {
    guard
      let found = try Verifier(options: options).newFindings(in: path, since: earlier)?.findings
    else { return nil }
    let expected = try expected(in: path, since: earlier)
    #expect(found.map { "\($0)" } == expected.map { "\($0)" }, context)
    return found
  }

  // MARK: Known damages

  /// Of the known damages, only those of files, pages, the schema, the model, and spatial indexes need all rows.
  @Test func knownDamagesAreFoundByTheirRows() throws {
    var unexpected: [String] = []
    // An ordinary run tries a third of them.
    let offset = Effort.seed(0) % 3
    for (number, damage) in Damage.all.enumerated() where Effort.isLong || number % 3 == offset {
      let sample = try SampleCopy()
      let before = try StoreFiles(sample.path).copy(to: sample.folder.file("Before.sqlite"))
      try damage.apply(to: sample.path)
      let comment = Comment(rawValue: damage.name)
      do {
        if try Self.check(sample.path, since: before, comment) == nil,
          !["external", "spatial", "log", "page", "list"].contains(where: damage.name.contains),
          Self.shape(of: sample.path) == Self.shape(of: before)
        {
          unexpected.append(damage.name)
        }
        // The way back is a repair.
        if number % 4 == 0 || Effort.isLong {
          try Self.check(before, since: sample.path, comment)
        }
      } catch is CofferError {
        // The store cannot be opened, or not be verified at all.
      }
    }
    #expect(unexpected == [])
  }

  /// The schema, the model and the entities of a store; nil for each that it lacks.
  private static func shape(of path: String) -> [[[StoreValue]]?] {
    [
      "SELECT * FROM sqlite_master", "SELECT * FROM Z_MODELCACHE",
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY",
    ].map { try? SampleCopy.rows(path, $0) }
  }

  // MARK: Random edits

  /// Random edits of objects, pairs, history and counters, on a store with and without findings; sometimes without
  /// the indexes that keep values unique.
  @Test func randomEditsAreCheckedAlike() throws {
    var (count, newCount) = (0, 0)
    let seeds = 0..<Effort.tries(UInt64(24))
    for seed in seeds.map({ Effort.seed() &+ $0 }) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryDirectory()
      let path = folder.file("Store.sqlite")
      if random.chance(0.5) {
        try SampleStore.write(to: path)
      } else {
        var options = GeneratorOptions()
        options.objectCount = 300
        options.seed = seed
        try StoreMaker.write(to: path, options)
      }
      if random.chance(0.5) { try Self.dropUniqueIndexes(path) }
      var edits = RandomEdits(seed: seed)
      edits.editsFiles = false
      if random.chance(0.5) { try edits.make(random.below(40), in: path) }
      let before = try StoreFiles(path).copy(to: folder.file("Before.sqlite"))
      try edits.make(1 + random.below(30), in: path)
      guard let found = try Self.check(path, since: before, "seed \(seed)") else { continue }
      count += 1
      newCount += found.count
    }
    #expect(count > seeds.count / 2)
    #expect(newCount > seeds.count)
  }

  private static func dropUniqueIndexes(_ path: String) throws {
    let database = try GeneratorDatabase(path: path)
    for row in try database.rows("SELECT name FROM sqlite_master WHERE sql LIKE '%UNIQUE INDEX%'") {
      guard case .text(let bytes) = row[0] else { continue }
      try database.run("DROP INDEX \"\(String(decoding: bytes, as: UTF8.self))\"")
    }
  }

  /// Random edits of other models.
  @Test(arguments: RealStores.any) func editsOfRealStoresAreCheckedAlike(_ store: RealStore) throws
  {
    for seed in 0..<UInt64(Effort.tries(2)) {
      let folder = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: folder)
      guard (try? PersistentStore(readingFrom: path))?.byteCount ?? .max < 32 << 20 else { return }
      var edits = RandomEdits(seed: seed)
      edits.editsFiles = false
      // Moves the log into the store.
      try edits.make(0, in: path)
      let before = try StoreFiles(path).copy(to: folder.file("Before.sqlite"))
      // A damaged spatial index ends the edits early.
      _ = try? edits.make(20, in: path)
      try Self.check(path, since: before, "\(store.name), seed \(seed)")
    }
  }

  // MARK: Pairs in both directions

  private static let friends = """
    <?xml version='1.0'?><model><entity name='P'><relationship name='friends' toMany='YES' minCount='1' maxCount='4' \
    destinationEntity='P' inverseName='friends' inverseEntity='P'/></entity></model>
    """

  /// Of a relationship that is its own inverse, the pairs of an object are in both columns.
  @Test(arguments: [
    ("INSERT INTO Z_1FRIENDS VALUES (700, 1400)", 1),
    ("DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS = 700", 0),
  ])
  func pairsInBothColumnsAreCounted(_ edit: String, _ count: Int) throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("M.xcdatamodel"), withIntermediateDirectories: true)
    _ = try folder.write(Self.friends.utf8, to: "M.xcdatamodel/contents")
    let path = folder.file("Store.sqlite")
    try StoreCreator().create(folder.file("M.xcdatamodel"), at: path)
    let database = try GeneratorDatabase(path: path)
    _ = try database.rows("PRAGMA journal_mode = DELETE")
    try database.run(
      """
      WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 1500)
      INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT) SELECT k, 1, 1 FROM n
      """)
    try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1500")
    try database.run(
      "INSERT INTO Z_1FRIENDS SELECT Z_PK, Z_PK + 1 FROM ZP WHERE Z_PK % 2 = 1 AND Z_PK != 699")
    try database.run(
      "INSERT INTO Z_1FRIENDS VALUES (700, 100), (1300, 700), (1301, 700), (1302, 700)")
    let before = try StoreFiles(path).copy(to: folder.file("Before.sqlite"))
    try database.run(edit)
    let found = try #require(try Self.check(path, since: before, "\(edit)"))
    #expect(found.count { $0.objectID?.primaryKey == 700 } == count)
  }

  // MARK: Indexes that lack entries

  /// An index without the entries of the rows that lead to a removed object does not hide them.
  @Test func anIndexWithoutEntriesHidesNothing() throws {
    let sample = try SampleCopy(journal: .delete)
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    let index = "name = 'ZITEMENTITY_ZAUTHOR_INDEX'"
    let row = try database.rows("SELECT * FROM sqlite_master WHERE \(index)")[0]
    try database.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE \(index)")
    #expect(row.count == 5)
    do {
      let other = try GeneratorDatabase(path: sample.path)
      try other.registerCoreDataFunctions()
      try other.run(
        "UPDATE ZITEMENTITY SET ZAUTHOR = (SELECT max(Z_PK) FROM ZPERSONENTITY) "
          + "WHERE ZAUTHOR IS NOT NULL")
      try other.run("PRAGMA writable_schema = ON")
      try other.run("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
    }
    let before = try StoreFiles(sample.path).copy(to: sample.folder.file("Before.sqlite"))
    try sample.change(
      "DELETE FROM ZPERSONENTITY WHERE Z_PK = (SELECT max(Z_PK) FROM ZPERSONENTITY)")
    let found = try Self.check(sample.path, since: before, "")
    #expect(
      found?.contains { $0.code == .danglingRelationship && $0.propertyName == "author" } == true)
  }
}
