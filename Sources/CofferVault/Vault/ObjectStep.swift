internal import CofferComparison
internal import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Compares one object in two states of its store.
struct ObjectStep: SourcePairUse {
  /// The result for the object.
  struct Result {
    /// Whether the second state has it.
    var isThere: Bool
    /// The entities of the second state.
    var entityNames: [Name]
    /// The event; nil if nothing happened.
    var event: ObjectEvent?
  }

  let entityName: Name
  let primaryKey: Int64
  /// Whether the first state has it.
  let wasThere: Bool
  /// The backup of the second state.
  let backup: Backup
  /// The last backup of the first state; nil if there is none, and the second represents both.
  let previous: Backup?

  func use(_ first: some RowSource, _ second: some RowSource) throws -> Result {
    var result = Result(isThere: false, entityNames: second.model.entities.map(\.name))
    let match = TableMatching.Match(first: table(in: first), second: table(in: second))
    let rows = RowComparison(match, first, second, comparesVersions: false)
    let old = wasThere ? try object(in: first, match.first, rows.first) : nil
    let new = try object(in: second, match.second, rows.second)
    result.isThere = new != nil
    guard var event = try event(rows, old, new) else { return result }
    if let new {
      event.relationships = try relationships(first, second, old: old?.id, new: new.id)
    }
    guard event.kind != .changed || !event.properties.isEmpty || !event.relationships.isEmpty
    else { return result }
    if previous != nil {
      event.authors = try HistoryAuthors(event.objectID).authors(after: first, in: second)
    }
    result.event = event
    return result
  }

  // MARK: The row

  private func table(in source: some RowSource) -> TableLayout? {
    guard let root = source.model.root(of: entityName)?.name else { return nil }
    return source.shapes.first { $0.kind == .entity && $0.entityName == root }
  }

  /// The row of the object, loaded; nil if there is none.
  private func object<Source: RowSource>(
    in source: Source, _ shape: TableLayout?, _ table: ComparedTable
  ) throws -> (rows: Source.Rows, id: ManagedObjectID)? {
    guard let shape else { return nil }
    let wanted = Set(source.model.tree(of: entityName).map(\.name))
    let rows = try source.rows(of: shape, keys: primaryKey...primaryKey)
    while try rows.next() {
      guard let id = table.objectID(rows.row), id.primaryKey == primaryKey else { continue }
      return wanted.contains(id.entityName) ? (rows, id) : nil
    }
    return nil
  }

  private func event<First: RowCursor, Second: RowCursor>(
    _ rows: RowComparison, _ old: (rows: First, id: ManagedObjectID)?,
    _ new: (rows: Second, id: ManagedObjectID)?
  ) throws -> ObjectEvent? {
    func event(_ kind: ChangeKind, _ id: ManagedObjectID) -> ObjectEvent {
      ObjectEvent(backup: backup, previous: previous, kind: kind, objectID: id)
    }
    guard let new else { return old.map { event(.removed, $0.id) } }
    var found = event(old == nil ? .added : .changed, new.id)
    found.properties =
      try old.map {
        try rows.differences($0.rows, new.rows, ComparisonOptions(includesValues: true))
      } ?? rows.values(new.rows)
    return found
  }

  // MARK: To-many relationships

  private func relationships(
    _ first: some RowSource, _ second: some RowSource,
    old: ManagedObjectID?, new: ManagedObjectID
  ) throws -> [RelationshipDifference] {
    let names = toManyNames(new, first).union(toManyNames(new, second))
      .filter { old == nil || mayDiffer($0, new, first, second) }
    let before = try old.map { try destinations(of: $0, in: first, names) } ?? [:]
    let after = try destinations(of: new, in: second, names)
    return names.sorted { $0 < $1 }.compactMap {
      RelationshipDifference($0.text, from: before[$0] ?? [], to: after[$0] ?? [])
    }
  }

  private func toManyNames(_ id: ManagedObjectID, _ source: some RowSource) -> Set<Name> {
    Set(
      source.model.allRelationships(of: id.entityName).filter { $0.isToMany && !$0.isTransient }
        .map(\.name))
  }

  /// Whether the destinations of a relationship can differ, as far as digests of tables show.
  private func mayDiffer(
    _ name: Name, _ id: ManagedObjectID, _ first: some RowSource, _ second: some RowSource
  ) -> Bool {
    guard let relationship = second.model.relationship(name, of: id.entityName)?.relationship,
      let root = second.model.root(of: relationship.destinationName)?.name
    else { return true }
    let isManyToMany =
      relationship.inverseName != nil
      && second.model.inverse(of: relationship)?.relationship.isToMany == true
    let tables = second.shapes.filter { shape in
      isManyToMany
        ? shape.kind == .relationship
        : shape.kind == .entity && shape.entityName == root
    }
    return tables.contains { shape in
      guard first.shapes.contains(shape), let digests = second.digests(of: shape) else {
        return true
      }
      return digests != first.digests(of: shape)
    }
  }

  private func destinations(
    of id: ManagedObjectID, in source: some RowSource, _ names: Set<Name>
  ) throws -> [Name: [ManagedObjectID]] {
    let known = toManyNames(id, source).intersection(names)
    guard !known.isEmpty else { return [:] }
    var query = ObjectQuery(
      entityName: id.entityName, primaryKey: id.primaryKey,
      followedRelationships: Array(known))
    query.followLimit = 0
    var found: [Name: [ManagedObjectID]] = [:]
    _ = try BrowserRun(source, query).complete { object in
      for relationship in object.relationships where relationship.isToMany {
        found[relationship.name] = relationship.destinations
      }
    }
    return found
  }
}

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
        name == id.entityName, let number = row.integer(columns.transaction)
      else { return true }
      found.insert(number)
      return true
    }
    return found
  }
}
