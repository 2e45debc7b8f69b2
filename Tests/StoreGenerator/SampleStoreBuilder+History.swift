package import CoreDataModel

/// A change that the persistent history records.
package struct HistoryChange: Sendable {
  /// The kind of a change, by Core Data's number.
  package enum Kind: Int64, Sendable {
    /// An object was inserted.
    case insert = 0
    /// An object was updated.
    case update = 1
    /// An object was deleted.
    case delete = 2
  }

  /// The kind of the change.
  package var kind: Kind
  /// The concrete entity of the object.
  package var entity: Name
  /// The primary key of the object.
  package var primaryKey: Int64
  /// The names of the properties that an update changed.
  package var properties: Set<Name> = []
  /// The last values of a deleted object, in the order of ``StoreSchema/tombstoneAttributes(of:)``.
  package var tombstones: [StoreValue] = []

  /// Creates a change.
  package init(
    _ kind: Kind, _ entity: Name, _ primaryKey: Int64, properties: Set<Name> = [],
    tombstones: [StoreValue] = []
  ) {
    self.kind = kind
    self.entity = entity
    self.primaryKey = primaryKey
    self.properties = properties
    self.tombstones = tombstones
  }
}

/// A transaction of the persistent history.
package struct HistoryTransaction: Sendable {
  /// Seconds since 2001.
  package var timestamp: Double
  /// The author that the app gave, or nil.
  package var author: String?
  /// The name of the context, or nil.
  package var context: String?
  /// The bundle identifier of the app.
  package var bundle: String
  /// The name of the process.
  package var process: String
  /// The changes.
  package var changes: [HistoryChange]

  /// Creates a transaction.
  package init(
    at timestamp: Double, author: String? = nil, context: String? = nil,
    bundle: String = "org.example.todo", process: String = "Todo", _ changes: [HistoryChange]
  ) {
    self.timestamp = timestamp
    self.author = author
    self.context = context
    self.bundle = bundle
    self.process = process
    self.changes = changes
  }
}

/// The history that a builder has collected.
struct HistoryState {
  var transactions: [HistoryTransaction] = []
}

extension SampleStoreBuilder {
  /// Adds a transaction to the persistent history; without any, the store has no history tables.
  package func record(_ transaction: HistoryTransaction) {
    history.transactions.append(transaction)
  }

  /// Writes the tables of the history (store-format, sections 2.5 and 7).
  func writeHistory() throws {
    guard !history.transactions.isEmpty else { return }
    for statement in schema.historyStatements { try database.run(statement) }
    var strings: [String: Int64] = [:]
    func string(_ text: String?) throws -> StoreValue {
      guard let text else { return .null }
      if let known = strings[text] { return .integer(known) }
      let key = Int64(strings.count + 1)
      strings[text] = key
      try run(
        "INSERT INTO ATRANSACTIONSTRING VALUES (?,16003,NULL,?)", [.integer(key), .string(text)])
      return .integer(key)
    }
    var changeCount: Int64 = 0
    for (index, transaction) in history.transactions.enumerated() {
      let key = Int64(index + 1)
      try run(
        "INSERT INTO ATRANSACTION VALUES (?,16002,NULL,?,?,?,?,?,NULL,NULL,NULL,NULL,NULL)",
        [
          .integer(key), string(transaction.author), string(transaction.bundle),
          string(transaction.context), string(transaction.process), .real(transaction.timestamp),
        ])
      for change in transaction.changes {
        changeCount += 1
        try write(change, changeCount, transaction: key)
      }
    }
    let counts = [
      ("CHANGE", changeCount), ("TRANSACTION", Int64(history.transactions.count)),
      ("TRANSACTIONSTRING", Int64(strings.count)),
    ]
    for (index, (name, last)) in counts.enumerated() {
      try database.run(
        "INSERT INTO Z_PRIMARYKEY VALUES (?,?,0,?)",
        [.integer(16001 + Int64(index)), .string(name), .integer(last)])
    }
  }

  private func write(_ change: HistoryChange, _ key: Int64, transaction: Int64) throws {
    let mask: StoreValue =
      change.kind == .update ? .blob(schema.changeMask(change.entity, change.properties)) : .null
    var values: [StoreValue] = [
      .integer(key), .integer(change.kind.rawValue),
      .integer(Int64(schema.number(change.entity))), .integer(change.primaryKey),
      .integer(transaction), mask,
    ]
    let tombstones = schema.tombstoneCount
    values += (0..<tombstones).map {
      $0 < change.tombstones.count ? change.tombstones[$0] : .null
    }
    let marks = String(repeating: ",?", count: 5 + tombstones)
    try run("INSERT INTO ACHANGE VALUES (?,16001,NULL\(marks))", values)
  }
}
