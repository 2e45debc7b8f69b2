internal import CoreDataModel

/// Records the changes of an editor as one transaction of the persistent history.
///
/// Source: store-format, section 7.
struct HistoryRecording {
  private let editor: ObjectEditor
  private let transactions: SchemaTable
  private let tombstones: [String]

  /// Prepares to record; nil if the store tracks no history.
  ///
  /// - Throws: ``CofferError`` with `refused` if the history has an unknown form.
  init?(_ editor: ObjectEditor) throws(CofferError) {
    self.editor = editor
    let catalog = editor.store.catalog
    guard let changes = catalog.table(StoredName.changes) else { return nil }
    let needed = [
      StoredName.primaryKey, StoredName.entityNumber, StoredName.changeType,
      StoredName.changedEntity, StoredName.changedKey, StoredName.changeTransaction, Self.mask,
    ]
    guard let transactions = catalog.table(StoredName.transactions),
      needed.allSatisfy({ changes.column($0) != nil }),
      [StoredName.primaryKey, StoredName.entityNumber, StoredName.transactionTime].allSatisfy({
        transactions.column($0) != nil
      })
    else {
      throw CofferError(
        .refused, path: editor.store.path,
        detail: "its persistent history has an unknown form, so a change cannot be recorded")
    }
    self.transactions = transactions
    tombstones = (0..<changes.columns.count).map { "ZTOMBSTONE\($0)" }.filter {
      changes.column($0) != nil
    }
  }

  private static let mask = "ZCOLUMNS"
  private static let names = (
    change: "CHANGE", transaction: "TRANSACTION", text: "TRANSACTIONSTRING"
  )

  /// Records all changes at a time in seconds since 2001.
  func record(at time: Double) throws(CofferError) {
    guard
      try editor.statements.row(
        "SELECT 1 FROM \(ObjectEditor.touched) GROUP BY t, k HAVING min(p) > \(ObjectEditor.removed) "
          + "OR max(p = \(ObjectEditor.inserted)) = 0 LIMIT 1") != nil
    else { return }
    let transaction = try addTransaction(time)
    let counter = try Counter(Self.names.change, 16001, editor)
    let positions = HistoryPositions(editor.schema)
    for table in editor.schema.tables.indices {
      try recordChanges(of: table, transaction, counter, positions)
    }
    try counter.save()
  }

  private func addTransaction(_ time: Double) throws(CofferError) -> Int64 {
    let counter = try Counter(Self.names.transaction, 16002, editor)
    let key = counter.next()
    var columns = [StoredName.primaryKey, StoredName.entityNumber, StoredName.transactionTime]
    // A device whose clock was ahead may have saved last: transactions are in the order of their times.
    let last = try editor.statements.row(
      "SELECT max(?1, ifnull(max(\(StoredName.transactionTime)), ?1)) FROM "
        + "\(StoredName.transactions) WHERE typeof(\(StoredName.transactionTime)) "
        + "IN ('integer', 'real')", .real(time))
    var values: [SQLiteValue] = [.integer(key), .integer(counter.entity), last?[0] ?? .real(time)]
    let reference = StoredName.transactionTexts[0].column
    if transactions.column(reference) != nil,
      editor.store.catalog.table(StoredName.transactionStrings)?.column("ZNAME") != nil
    {
      columns.append(reference)
      values.append(.integer(try authorKey()))
    } else if transactions.column("ZAUTHOR") != nil {
      columns.append("ZAUTHOR")
      values.append(.string(ObjectEditor.author))
    }
    try editor.statements.run(
      "INSERT INTO \(StoredName.transactions) (\(columns.joined(separator: ", "))) VALUES ("
        + columns.map { _ in "?" }.joined(separator: ", ") + ")", values)
    try counter.save()
    return key
  }

  /// The key of the author's text, which is added if it does not exist.
  private func authorKey() throws(CofferError) -> Int64 {
    let table = StoredName.transactionStrings
    let author = SQLiteValue.string(ObjectEditor.author)
    if let key = try editor.statements.row("SELECT Z_PK FROM \(table) WHERE ZNAME = ?", author)?[0]
      .integer
    {
      return key
    }
    let counter = try Counter(Self.names.text, 16003, editor)
    let key = counter.next()
    try editor.statements.run(
      "INSERT INTO \(table) (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)", .integer(key),
      .integer(counter.entity), author)
    try counter.save()
    return key
  }

  // MARK: Changes

  private func recordChanges(
    of table: Int, _ transaction: Int64, _ counter: Counter, _ positions: HistoryPositions
  ) throws(CofferError) {
    let place = SQLiteValue.integer(Int64(table))
    var after: Int64 = .min
    // A thousand objects at a time: the list is of any length.
    while true {
      let keys = try editor.statements.integers(
        "SELECT DISTINCT k FROM \(ObjectEditor.touched) WHERE t = ? AND k > ? ORDER BY k LIMIT 1000",
        place, .integer(after))
      guard let last = keys.last else { return }
      after = last
      for key in keys {
        let properties = try editor.statements.integers(
          "SELECT p FROM \(ObjectEditor.touched) WHERE t = ? AND k = ? ORDER BY p", place,
          .integer(key))
        try record(
          StoredObject(table: table, key: key), properties, transaction, counter, positions)
      }
    }
  }

  private func record(
    _ object: StoredObject, _ properties: [Int64], _ transaction: Int64, _ counter: Counter,
    _ positions: HistoryPositions
  ) throws(CofferError) {
    let isInserted = properties.contains(ObjectEditor.inserted)
    let isRemoved = properties.contains(ObjectEditor.removed)
    if isInserted, isRemoved { return }
    let entity: Int64?
    if isRemoved {
      entity = try editor.statements.row(
        "SELECT e FROM \(ObjectEditor.deleted) WHERE t = ? AND k = ?",
        .integer(Int64(object.table)), .integer(object.key))?[0].integer
    } else {
      entity = try editor.entityNumber(of: object)
    }
    guard let entity else { return }
    var columns = [
      StoredName.primaryKey, StoredName.entityNumber, StoredName.changeType,
      StoredName.changedEntity, StoredName.changedKey, StoredName.changeTransaction, Self.mask,
    ]
    let isUpdate = !isInserted && !isRemoved
    let mask = isUpdate ? positions.mask(of: properties, table: object.table, entity: entity) : nil
    var values: [SQLiteValue] = [
      .integer(counter.next()), .integer(counter.entity),
      .integer(isRemoved ? 2 : isInserted ? 0 : 1), .integer(entity), .integer(object.key),
      .integer(transaction), mask.map { .blob($0) } ?? .null,
    ]
    if isRemoved {
      for (number, name) in tombstones.enumerated() {
        let row = try editor.statements.row(
          "SELECT v FROM \(ObjectEditor.kept) WHERE t = ? AND k = ? AND n = ?",
          .integer(Int64(object.table)), .integer(object.key), .integer(Int64(number)))
        guard let row else { continue }
        columns.append(name)
        values.append(row[0])
      }
    }
    try editor.statements.run(
      "INSERT INTO \(StoredName.changes) (\(columns.joined(separator: ", "))) VALUES ("
        + columns.map { _ in "?" }.joined(separator: ", ") + ")", values)
  }

  /// The counter of an entity of the framework's own.
  private final class Counter {
    let entity: Int64
    private let name: String
    private let editor: ObjectEditor
    private var highest: Int64

    init(_ name: String, _ number: Int64, _ editor: ObjectEditor) throws(CofferError) {
      self.name = name
      self.editor = editor
      let row = try editor.statements.row(
        "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ? AND Z_ENT >= ?", .string(name),
        .integer(EntityRegistry.firstSystemNumber))
      entity = row?[0].integer ?? number
      let table = StoredName.systemTable(ofEntity: Name(name))
      let present = try editor.statements.row("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")
      highest = max(0, row?[1].integer ?? 0, present?[0].integer ?? 0)
    }

    func next() -> Int64 {
      highest &+= 1
      return highest
    }

    /// Writes the counter, which the first transaction creates.
    func save() throws(CofferError) {
      try editor.statements.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
          + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3", .integer(entity), .string(name),
        .integer(highest))
    }
  }
}
