internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Finds who changed an object, as the persistent history of two states names it.
struct HistoryAuthors {
  private let id: ManagedObjectID

  init(_ id: ManagedObjectID) { self.id = id }

  /// The authors of the transactions about the object that only the second state has, the oldest first,
  /// each once.
  func authors(after first: some RowSource, in second: some RowSource) throws -> [String] {
    guard let changes = second.historyTable(StoredName.changes),
      second.historyTable(StoredName.transactions) != nil
    else { return [] }
    if first.shapes.contains(changes), let digests = second.digests(of: changes),
      digests == first.digests(of: changes)
    {
      return []
    }
    let known = try transactions(in: first)
    let new = try transactions(in: second).subtracting(known)
    guard !new.isEmpty else { return [] }
    return try authors(of: new, in: second)
  }

  /// The keys of the transactions about the object.
  private func transactions(in source: some RowSource) throws -> Set<Int64> {
    guard let shape = source.historyTable(StoredName.changes),
      let entity = shape.column(StoredName.changedEntity),
      let key = shape.column(StoredName.changedKey),
      let transaction = shape.column(StoredName.changeTransaction)
    else { return [] }
    var found: Set<Int64> = []
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      guard row.integer(key) == id.primaryKey,
        let name = row.integer(entity).flatMap({ source.entities.names[$0] }),
        name.hasSameBytes(as: id.entityName), let number = row.integer(transaction)
      else { return true }
      found.insert(number)
      return true
    }
    return found
  }

  /// The authors of transactions: as a text of their own, or as the key of one.
  private func authors(of transactions: Set<Int64>, in source: some RowSource) throws -> [String] {
    guard let shape = source.historyTable(StoredName.transactions),
      let key = shape.column(StoredName.primaryKey)
    else { return [] }
    let (reference, own) = (
      shape.column(StoredName.transactionAuthorKey), shape.column(StoredName.transactionAuthor)
    )
    var (texts, references): ([Int64: String], [Int64: Int64]) = ([:], [:])
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      guard let number = row.integer(key), transactions.contains(number) else { return true }
      texts[number] = own.flatMap { row.value($0).string }
      references[number] = reference.flatMap { row.integer($0) }
      return true
    }
    let names = try strings(Set(references.values), in: source)
    var authors: [String] = []
    for number in transactions.sorted() {
      guard let author = texts[number] ?? references[number].flatMap({ names[$0] }),
        !authors.contains(author)
      else { continue }
      authors.append(author)
    }
    return authors
  }

  private func strings(
    _ keys: Set<Int64>, in source: some RowSource
  ) throws -> [Int64: String] {
    guard !keys.isEmpty, let shape = source.historyTable(StoredName.transactionStrings),
      let key = shape.column(StoredName.primaryKey),
      let name = shape.column(StoredName.transactionString)
    else { return [:] }
    var found: [Int64: String] = [:]
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      if let number = row.integer(key), keys.contains(number) {
        found[number] = row.value(name).string
      }
      return true
    }
    return found
  }
}
