internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A store with random objects, counters and history, and their defects by rules that are as plain as
/// possible.
struct RandomHistory {
  struct Object {
    var key: Int64
    var entity: Int64
    var version: Int64?
  }
  struct Change {
    var key: Int64
    var type: Int64
    var entity: Int64
    var object: Int64?
    var transaction: Int64?
  }
  struct Transaction {
    var key: Int64
    var time: Double
    var texts: [Int64?]
  }
  struct Table {
    let root: String
    let number: Int64
    let name: String
    let entities: [Int64: String]
    var objects: [Object] = []
    var counter: Int64 = 0
  }

  var tables = [
    Table(
      root: "ItemEntity", number: 2, name: "ZITEMENTITY",
      entities: [3: "NoteEntity", 4: "TodoEntity", 5: "RecurringTodoEntity"]),
    Table(root: "TagEntity", number: 9, name: "ZTAGENTITY", entities: [9: "TagEntity"]),
    Table(root: "VisitEntity", number: 10, name: "ZVISITENTITY", entities: [10: "VisitEntity"]),
  ]
  var changes: [Change] = []
  var transactions: [Transaction] = []
  var strings: [Int64] = []
  /// Of the changes, the transactions and the texts.
  var systemCounters: [Int64] = []

  /// Throws the dice.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int64 {
      Int64(range.lowerBound + random.below(range.upperBound - range.lowerBound + 1))
    }
    for index in tables.indices {
      let entities = tables[index].entities.keys.sorted()
      for key in 1...40 where random.chance(0.6) {
        tables[index].objects.append(
          Object(
            key: Int64(key), entity: entities[random.below(entities.count)],
            version: random.chance(0.05) ? nil : number(0...6)))
      }
      tables[index].counter = number(30...60)
    }
    strings = (1...6).filter { _ in random.chance(0.8) }
    var time = 0.0
    for key in 1...20 where random.chance(0.9) {
      time += Double(random.below(10)) - 1
      let texts = (0..<4).map { _ in random.chance(0.3) ? nil : number(1...6) }
      transactions.append(Transaction(key: Int64(key), time: time, texts: texts))
    }
    for key in 1...300 where random.chance(0.95) {
      let entity: Int64 = random.chance(0.03) ? [1, 77, 16_001][random.below(3)] : 0
      let known = [3, 4, 5, 9, 10, 9, 10] as [Int64]
      changes.append(
        Change(
          key: Int64(key), type: random.chance(0.02) ? 3 : [0, 1, 1, 2][random.below(4)],
          entity: entity == 0 ? known[random.below(known.count)] : entity,
          object: random.chance(0.02) ? nil : number(0...65),
          transaction: random.chance(0.02) ? nil : number(1...20)))
    }
    systemCounters = [number(250...300), number(15...20), number(4...6)]
  }

  /// Writes the store.
  func write(to path: String) throws {
    let builder = try SampleStoreBuilder(path: path, schema: TodoModel.schema)
    builder.record(HistoryTransaction(at: 0, [.init(.insert, "TagEntity", 1)]))
    try builder.finish()
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try database.run(
      "DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM ATRANSACTIONSTRING")
    for table in tables {
      for object in table.objects {
        try database.run(
          "INSERT INTO \(table.name) (Z_PK, Z_ENT, Z_OPT) VALUES (?,?,?)",
          [.integer(object.key), .integer(object.entity), Self.value(object.version)])
      }
      try setCounter(table.counter, table.number, database)
    }
    for change in changes {
      try database.run(
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (?,16001,?,?,?,?)
        """,
        [
          .integer(change.key), .integer(change.type), .integer(change.entity),
          Self.value(change.object), Self.value(change.transaction),
        ])
    }
    for transaction in transactions {
      try database.run(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS,
        ZPROCESSIDTS) VALUES (?,16002,?,?,?,?,?)
        """,
        [.integer(transaction.key), .real(transaction.time)] + transaction.texts.map(Self.value))
    }
    for string in strings {
      try database.run(
        "INSERT INTO ATRANSACTIONSTRING VALUES (?,16003,NULL,?)",
        [.integer(string), .string("text \(string)")])
    }
    for (index, counter) in systemCounters.enumerated() {
      try setCounter(counter, Int64(16_001 + index), database)
    }
  }

  private func setCounter(_ counter: Int64, _ number: Int64, _ database: GeneratorDatabase) throws {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(counter), .integer(number)])
  }

  private static func value(_ number: Int64?) -> StoreValue {
    number.map(StoreValue.integer) ?? .null
  }
}
