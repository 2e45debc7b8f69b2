internal import CofferCore
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
    guard let changes = second.historyTable(StoredName.changes) else { return [] }
    if first.shapes.contains(changes), let digests = second.digests(of: changes),
      digests == first.digests(of: changes)
    {
      return []
    }
    let known = try transactions(in: first)
    let new = try transactions(in: second).subtracting(known)
    guard !new.isEmpty, let transactions = try TransactionRows(second) else { return [] }
    var authors: [String] = []
    while let transaction = try transactions.next() {
      guard new.contains(transaction.number), let author = transaction.author,
        !authors.contains(author)
      else { continue }
      authors.append(author)
    }
    return authors
  }

  /// The keys of the transactions about the object.
  private func transactions(in source: some RowSource) throws -> Set<Int64> {
    guard let shape = source.historyTable(StoredName.changes), let columns = ChangeColumns(shape)
    else { return [] }
    var found: Set<Int64> = []
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      guard row.integer(columns.object) == id.primaryKey,
        let name = row.integer(columns.entity).flatMap({ source.entities.names[$0] }),
        name.hasSameBytes(as: id.entityName), let number = row.integer(columns.transaction)
      else { return true }
      found.insert(number)
      return true
    }
    return found
  }
}
