internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A store of ``RelationshipModel`` whose relationships are drawn at random, right and wrong.
struct RelationshipChaos {
  private let database: GeneratorDatabase
  private var random: SeededGenerator
  /// The probability of drawing a value that may be wrong.
  private let wrongness: Double
  private var entities: [String: [Int64: Int64]] = [:]

  /// Writes a store; the same seed gives the same.
  static func write(to path: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let builder = try SampleStoreBuilder(
      path: path, model: RelationshipModel.model, journal: .delete)
    let names: [Name] = ["Alpha", "Beta", "Gamma", "Alpha", "Beta", "Box", "Label", "Lid", "Stamp"]
    for _ in 0..<(20 + random.below(60)) {
      try builder.insert(names[random.below(names.count)])
    }
    try builder.finish()
    var chaos = RelationshipChaos(
      database: try GeneratorDatabase(path: path), random: random,
      wrongness: [0, 0.02, 0.1, 0.4][random.below(4)])
    try chaos.disturb()
  }

  private init(database: GeneratorDatabase, random: SeededGenerator, wrongness: Double) {
    self.database = database
    self.random = random
    self.wrongness = wrongness
  }

  private mutating func disturb() throws {
    try database.run("PRAGMA synchronous = OFF; BEGIN")
    for table in RelationshipModel.roots.keys.sorted() {
      for row in try database.rows("SELECT Z_PK, Z_ENT FROM \(table) ORDER BY Z_PK") {
        guard case .integer(let key) = row[0], case .integer(let number) = row[1] else { continue }
        entities[table, default: [:]][key] = number
        guard random.chance(wrongness / 4) else { continue }
        let wrong = [.null, 77, 1, 3, 4, 5][random.below(6)] as StoreValue
        try database.run("UPDATE \(table) SET Z_ENT = ? WHERE Z_PK = \(key)", [wrong])
        if case .integer(let changed) = wrong { entities[table]?[key] = changed }
      }
    }
    for reference in RelationshipModel.references { try disturb(reference) }
    for (first, second) in RelationshipModel.oneToOne { try pair(first, second) }
    for reference in RelationshipModel.references { try noteEntities(reference) }
    for (position, column) in RelationshipModel.orders {
      try order(RelationshipModel.references[position], column)
    }
    for pairs in RelationshipModel.pairs { try add(pairs) }
    try database.run("COMMIT")
  }

  /// A key of an object that is allowed, mostly; NULL where there is none.
  private mutating func key(in table: String, _ allowed: Set<Int64>) -> StoreValue {
    let all = entities[table] ?? [:]
    if random.chance(wrongness) {
      let odd = [0, 999, -3, "x", 2.5, .null] as [StoreValue]
      return random.chance(0.5)
        ? odd[random.below(odd.count)]
        : .integer(Int64(random.below(all.count)) + 1)
    }
    let sound = all.filter { allowed.contains($0.value) }.keys.sorted()
    return sound.isEmpty ? .null : .integer(sound[random.below(sound.count)])
  }

  private func set(
    _ table: String, _ column: String, _ key: Int64, _ value: StoreValue
  ) throws {
    try database.run("UPDATE \(table) SET \(column) = ? WHERE Z_PK = \(key)", [value])
  }

  private mutating func disturb(_ reference: RelationshipModel.Reference) throws {
    for (key, entity) in (entities[reference.table] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let mayHave = (reference.owned ?? reference.holders).contains(entity)
      guard mayHave ? random.chance(0.7) : random.chance(wrongness / 2) else { continue }
      try set(
        reference.table, reference.column, key,
        self.key(in: reference.destination, reference.allowed))
    }
  }

  /// Makes most destinations of a one-to-one relationship lead back, if they do not yet.
  private mutating func pair(_ first: Int, _ second: Int) throws {
    let near = RelationshipModel.references[first]
    let far = RelationshipModel.references[second]
    for row in try database.rows(
      "SELECT Z_PK, \(near.column) FROM \(near.table) ORDER BY Z_PK")
    {
      guard case .integer(let key) = row[0], case .integer(let other) = row[1],
        random.chance(1 - wrongness)
      else { continue }
      try set(far.table, far.column, other, .integer(key))
    }
  }

  private mutating func noteEntities(_ reference: RelationshipModel.Reference) throws {
    guard let column = reference.entityColumn else { return }
    for row in try database.rows(
      "SELECT Z_PK, \(reference.column) FROM \(reference.table) ORDER BY Z_PK")
    {
      guard case .integer(let key) = row[0] else { continue }
      var noted = StoreValue.null
      if case .integer(let other) = row[1],
        let entity = entities[reference.destination]?[other]
      {
        noted = .integer(entity)
      }
      if random.chance(wrongness) {
        noted = ([.null, 2, 3, 4, 77, "x"] as [StoreValue])[random.below(6)]
      }
      try set(reference.table, column, key, noted)
    }
  }

  /// A position, which is often one that another object has where things may be wrong.
  private mutating func position(_ sound: Int64) -> StoreValue {
    guard random.chance(wrongness) else { return .integer(2048 + 1024 * sound) }
    return ([.null, "x", 2.5, 2048, 2048, 3072] as [StoreValue])[random.below(6)]
  }

  private mutating func order(
    _ reference: RelationshipModel.Reference, _ column: String
  ) throws {
    for row in try database.rows(
      "SELECT Z_PK, \(reference.column) FROM \(reference.table) ORDER BY Z_PK")
    {
      guard case .integer(let key) = row[0] else { continue }
      if row[1] == .null, !random.chance(wrongness) { continue }
      try set(reference.table, column, key, position(key))
    }
  }

  private mutating func add(_ pairs: RelationshipModel.Pairs) throws {
    for number in 0..<Int64(random.below(40)) {
      let from = key(in: pairs.source.table, pairs.source.allowed)
      let to = key(in: pairs.destination.table, pairs.destination.allowed)
      var columns = [pairs.source.column, pairs.destination.column]
      var values = [from, to]
      if let orders = pairs.orders {
        columns += [orders.destination, orders.source]
        values += [position(number), position(number)]
      }
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try database.run(
        """
        INSERT OR IGNORE INTO \(pairs.table) (\(columns.joined(separator: ", "))) VALUES (\(marks))
        """, values)
    }
  }
}
