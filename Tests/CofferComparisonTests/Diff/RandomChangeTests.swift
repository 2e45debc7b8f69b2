internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Many random changes at once: the comparison finds exactly these changes.
@Suite struct RandomChangeTests {
  @Test(arguments: Array(1...8)) func foundChangesAreTheOnesThatWereMade(_ seed: Int) throws {
    let samples = try SampleSources()
    var options = GeneratorOptions()
    options.objectCount = 1500
    options.seed = UInt64(seed)
    options.externalCount = 3
    let store = samples.directory.file("Large.sqlite")
    try StoreMaker.write(to: store, options)
    var changes = RandomChanges(seed: UInt64(seed))
    let changed = try samples.copy(of: store) { files in
      let database = try GeneratorDatabase(path: files.path)
      for _ in 0..<60 { try changes.make(in: database) }
    }
    let form = Form.allCases[seed % Form.allCases.count]
    let (first, second) = try form.sources(store, changed, samples)
    let found = try differences(first, second)
    #expect(found.texts.sorted() == changes.expected.sorted(), "seed \(seed), \(form)")
    #expect(found.texts.count > 40)
    // The other way round, everything that was added was removed.
    let back = try differences(second, first).texts.map { text in
      if text.hasPrefix("added") { return "removed" + text.dropFirst(5) }
      if text.hasPrefix("removed") { return "added" + text.dropFirst(7) }
      return text
    }
    #expect(back.sorted() == changes.expected.sorted(), "seed \(seed), \(form)")
  }
}

/// Makes changes, each to a different object or pair, and records the expected differences.
struct RandomChanges {
  private(set) var expected: [String] = []
  private var random: SeededGenerator
  private var touched: Set<String> = []
  private var lastKey: Int64 = 1_000_000

  /// Tables without triggers: entity, number, attributes with their columns and new values.
  private static let tables: [(String, String, Int, [(String, String)])] = [
    ("PersonEntity", "ZPERSONENTITY", 7, [("name", "ZNAME"), ("email", "ZEMAIL")]),
    ("TagEntity", "ZTAGENTITY", 9, [("name", "ZNAME"), ("color", "ZCOLOR")]),
    ("VisitEntity", "ZVISITENTITY", 10, [("arrival", "ZARRIVAL"), ("departure", "ZDEPARTURE")]),
    (
      "AttachmentEntity", "ZATTACHMENTENTITY", 1,
      [("fileName", "ZFILENAME"), ("checksum", "ZCHECKSUM"), ("content", "ZCONTENT")]
    ),
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func make(in database: GeneratorDatabase) throws {
    let (entity, table, number, attributes) = Self.tables[random.below(Self.tables.count)]
    switch random.below(10) {
    case 0: try makePair(database)
    case 1, 2:
      lastKey += 1
      let key = random.chance(0.3) ? -lastKey : lastKey
      try database.run("INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), \(number), 1)")
      expected.append("added \(entity)/p\(key)")
    case 3, 4:
      guard let key = try pick(table, database) else { return }
      try database.run("DELETE FROM \(table) WHERE Z_PK = \(key)")
      expected.append("removed \(entity)/p\(key)")
    default:
      guard let key = try pick(table, database) else { return }
      var text = "changed \(entity)/p\(key)"
      for (name, column) in attributes.sorted(by: { $0.0 < $1.0 }) where random.chance(0.5) {
        let value = "'new \(random.next())'"
        try database.run("UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(key)")
        text += " attribute:\(name)"
      }
      if random.chance(0.3) {
        try database.run("UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(key)")
        text = text.replacing("p\(key)", with: "p\(key) version:")
      }
      if text.contains(":") { expected.append(text) }
    }
  }

  private mutating func makePair(_ database: GeneratorDatabase) throws {
    if random.chance(0.5) {
      lastKey += 1
      try database.run("INSERT INTO Z_4TAGS VALUES (\(lastKey), 1)")
      expected.append("added TodoEntity.tags \(lastKey)-1")
      return
    }
    let count = Int(try database.integer("SELECT count(*) FROM Z_4TAGS") ?? 0)
    let row = try database.rows("SELECT * FROM Z_4TAGS LIMIT 1 OFFSET \(random.below(count))")
    guard case .integer(let todo)? = row.first?.first, case .integer(let tag)? = row.first?.last,
      todo < 1_000_000
    else { return }
    try database.run("DELETE FROM Z_4TAGS WHERE Z_4TODOS = \(todo) AND Z_9TAGS = \(tag)")
    expected.append("removed TodoEntity.tags \(todo)-\(tag)")
  }

  /// The key of an object that was not touched before; nil where one that was is met.
  private mutating func pick(_ table: String, _ database: GeneratorDatabase) throws -> Int64? {
    let count = Int(try database.integer("SELECT count(*) FROM \(table)") ?? 0)
    let key = try database.integer(
      "SELECT Z_PK FROM \(table) LIMIT 1 OFFSET \(random.below(count))")
    guard let key, abs(key) < 1_000_000, touched.insert("\(table) \(key)").inserted else {
      return nil
    }
    return key
  }
}
