internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Small random stores: the result is the same as from a plain matcher in memory, which shares no code
/// with the product.
@Suite struct MatchingLawTests {
  @Test(arguments: Array(1...4)) func everyDifferenceIsTheOneThatAPlainMatcherFinds(
    _ group: Int
  ) throws {
    let samples = try SampleSources()
    for number in 0..<8 {
      let seed = UInt64(group * 100 + number)
      var random = SeededGenerator(seed: seed)
      let sides = [RandomSide(&random), RandomSide(&random)]
      var paths: [String] = []
      for (index, side) in sides.enumerated() {
        let path = try samples.copy(named: "\(seed)-\(index)") { try side.write(to: $0, index) }
        paths.append(path)
      }
      var options = ComparisonOptions()
      options.naturalKeys = [
        NaturalKey(entityName: "PersonEntity", keyPaths: ["name"]),
        NaturalKey(entityName: "NoteEntity", keyPaths: ["title", "author.name"]),
        NaturalKey(entityName: "TodoEntity", keyPaths: ["title"]),
      ]
      options.ignoredAspects = Set(ComparisonOptions.Aspect.allCases)
      var found: [String] = []
      let form = Form.allCases[Int(seed) % Form.allCases.count]
      let (first, second) = try form.sources(paths[0], paths[1], samples)
      try StoreComparison(options: options).compare(first, second) { found.append($0.text) }
      let expected = PlainMatcher(sides[0], sides[1]).differences()
      #expect(found.sorted() == expected.sorted(), "seed \(seed), \(form)")
    }
  }
}

/// A small random set of objects.
struct RandomSide {
  struct Item {
    var key: Int64
    var entity: Name
    var title: String?
    /// The author of a note, or the parent of a to-do.
    var other: Int64?
    var text: String?
  }

  var people: [(key: Int64, name: String?, isActive: Bool)] = []
  var items: [Item] = []
  var tags: [(key: Int64, name: String, color: Int64)] = []
  var pairs: Set<[Int64]> = []

  init(_ random: inout SeededGenerator) {
    func keys(_ count: Int) -> [Int64] {
      var keys: Set<Int64> = []
      while keys.count < count { keys.insert(Int64(1 + random.below(30))) }
      return keys.sorted()
    }
    let names = ["a", "b", "c", "é", "e\u{301}", "long " + String(repeating: "x", count: 2000)]
    func name() -> String? { random.chance(0.1) ? nil : names[random.below(names.count)] }
    people = keys(random.below(6)).map { ($0, name(), random.chance(0.5)) }
    let todoKeys = keys(random.below(12))
    for key in todoKeys {
      let isNote = random.chance(0.4)
      let other: Int64? =
        isNote
        ? people.isEmpty || random.chance(0.1) ? nil : people[random.below(people.count)].key : nil
      items.append(
        Item(
          key: key, entity: isNote ? "NoteEntity" : "TodoEntity",
          title: random.chance(0.5) ? name() : "t\(random.below(8))", other: other,
          text: ["x", "y", nil][random.below(3)]))
    }
    let todos = items.indices.filter { items[$0].entity == "TodoEntity" }
    for index in todos where random.chance(0.6) {
      items[index].other = items[todos[random.below(todos.count)]].key
    }
    let tagNames = names.filter { _ in random.chance(0.5) }
    tags = zip(keys(tagNames.count), tagNames.shuffled(using: &random)).map {
      ($0, $1, Int64(random.below(2)))
    }
    for index in todos {
      for tag in tags where random.chance(0.4) { pairs.insert([items[index].key, tag.key]) }
    }
  }

  /// Replaces all objects of a store.
  func write(to files: StoreFiles, _ index: Int) throws {
    let database = try GeneratorDatabase(path: files.path)
    try database.registerCoreDataFunctions()
    for trigger in try database.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
      try database.run("DROP TRIGGER \"\(trigger[0].text)\"")
    }
    for table in [
      "ZATTACHMENTENTITY", "ZITEMENTITY", "ZLOCATIONENTITY", "ZPERSONENTITY", "ZSETTINGSENTITY",
      "ZTAGENTITY", "ZVISITENTITY", "Z_3BACKLINKS", "Z_4ASSIGNEES", "Z_4TAGS", "Z_7FRIENDS",
    ] { try database.run("DELETE FROM \(table)") }
    func text(_ text: String?) -> StoreValue { text.map { .string($0) } ?? .null }
    func number(_ number: Int64?) -> StoreValue { number.map { .integer($0) } ?? .null }
    for person in people {
      try database.run(
        "INSERT INTO ZPERSONENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZISACTIVE) VALUES (?, 7, 1, ?, ?)",
        [.integer(person.key), text(person.name), .bool(person.isActive)])
    }
    for item in items {
      let isNote = item.entity == "NoteEntity"
      try database.run(
        """
        INSERT INTO ZITEMENTITY (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR, ZPARENT, Z4_PARENT, ZTEXT,
          ZTEXT1) VALUES (?, ?, \(index + 1), ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(item.key), .integer(isNote ? 3 : 4), text(item.title),
          isNote ? number(item.other) : .null, isNote ? .null : number(item.other),
          !isNote && item.other != nil ? 4 : .null, isNote ? text(item.text) : .null,
          isNote ? .null : text(item.text),
        ])
    }
    for tag in tags {
      try database.run(
        "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) VALUES (?, 9, 3, ?, ?)",
        [.integer(tag.key), .string(tag.name), .integer(tag.color)])
    }
    for pair in pairs.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
      try database.run("INSERT INTO Z_4TAGS VALUES (\(pair[0]), \(pair[1]))")
    }
    try database.run("UPDATE Z_METADATA SET Z_UUID = 'C0000000-0000-4000-8000-00000000000\(index)'")
  }
}

/// Matches objects with dictionaries.
struct PlainMatcher {
  private struct Object {
    var entity: Name
    var key: Int64
    var tuple: [[UInt8]]?
    /// Attributes by name.
    var attributes: [String: [UInt8]]
    /// Keys of destinations by name, with the table of the destination.
    var references: [String: (table: String, key: Int64?)]
    var table: String
  }

  private let sides: [[Object]]
  private let pairs: [Set<[Int64]>]
  /// The key on the first side, by table and key on the second.
  private var counterparts: [String: Int64] = [:]

  init(_ first: RandomSide, _ second: RandomSide) {
    sides = [first, second].map(Self.objects)
    pairs = [first.pairs, second.pairs]
    func unique(_ objects: [Object]) -> [[[UInt8]]: Object] {
      var found: [[[UInt8]]: [Object]] = [:]
      for object in objects {
        if let tuple = object.tuple {
          found[[Array(object.entity.utf8)] + tuple, default: []].append(object)
        }
      }
      return found.filter { $0.value.count == 1 }.mapValues { $0[0] }
    }
    let (left, right) = (unique(sides[0]), unique(sides[1]))
    for (tuple, object) in right {
      if let other = left[tuple] { counterparts["\(object.table) \(object.key)"] = other.key }
    }
  }

  private static func objects(_ side: RandomSide) -> [Object] {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    let people = side.people.map { person in
      Object(
        entity: "PersonEntity", key: person.key, tuple: bytes(person.name).map { [$0] },
        attributes: ["isActive": [person.isActive ? 1 : 0]], references: [:], table: "people")
    }
    let items = side.items.map { item -> Object in
      let isNote = item.entity == "NoteEntity"
      var tuple = bytes(item.title).map { [$0] }
      if isNote {
        let author = side.people.first { $0.key == item.other }
        tuple = bytes(author?.name).flatMap { name in tuple.map { $0 + [name] } }
      }
      return Object(
        entity: item.entity, key: item.key, tuple: tuple,
        attributes: ["text": bytes(item.text) ?? [0]],
        references: [isNote ? "author" : "parent": (isNote ? "people" : "items", item.other)],
        table: "items")
    }
    let tags = side.tags.map { tag in
      Object(
        entity: "TagEntity", key: tag.key, tuple: [Array(tag.name.utf8)],
        attributes: ["color": [UInt8(tag.color)]], references: [:], table: "tags")
    }
    return people + items + tags
  }

  func differences() -> [String] {
    var found: [String] = []
    var matched: Set<String> = []
    for object in sides[1] {
      guard let key = counterparts["\(object.table) \(object.key)"],
        let old = sides[0].first(where: { $0.table == object.table && $0.key == key })
      else {
        found.append("added \(object.entity)/p\(object.key)")
        continue
      }
      matched.insert("\(object.table) \(key)")
      var names: [String] = []
      for (name, value) in object.attributes where old.attributes[name] != value {
        names.append("attribute:\(name)")
      }
      for (name, reference) in object.references {
        let before = old.references[name]?.key
        let isSame =
          reference.key == nil
          ? before == nil
          : before != nil
            && counterparts["\(reference.table) \(reference.key ?? 0)"] == before
        if !isSame { names.append("relationship:\(name)") }
      }
      if names.isEmpty { continue }
      let list = names.sorted { $0.split(separator: ":")[1] < $1.split(separator: ":")[1] }
      found.append("changed \(object.entity)/p\(object.key) \(list.joined(separator: " "))")
    }
    for object in sides[0] where !matched.contains("\(object.table) \(object.key)") {
      found.append("removed \(object.entity)/p\(object.key)")
    }
    let translated = pairs[1].map { pair -> [Int64]? in
      guard let todo = counterparts["items \(pair[0])"], let tag = counterparts["tags \(pair[1])"]
      else { return nil }
      return [todo, tag]
    }
    for (pair, other) in zip(pairs[1], translated) {
      if let other, pairs[0].contains(other) { continue }
      found.append("added TodoEntity.tags \(pair[0])-\(pair[1])")
    }
    let known = Set(translated.compactMap(\.self))
    for pair in pairs[0] where !known.contains(pair) {
      found.append("removed TodoEntity.tags \(pair[0])-\(pair[1])")
    }
    return found
  }
}
