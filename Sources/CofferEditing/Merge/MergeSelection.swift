internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The objects of the other store to merge: the selected ones, and the objects that they need and the
/// store does not have.
///
/// All others count as unchanged: they are neither added nor changed nor deleted.
final class MergeSelection {
  private let other: MergeSide
  private let identity: MergeIdentity
  private let statements: EditStatements
  private(set) var summary = SelectionSummary()

  /// The objects of the other store: table, key, and their distance in relationships from a selected one.
  private static let chosen = "temp.coffer_selected"

  init(
    _ selected: SelectedObjects, of other: MergeSide, _ identity: MergeIdentity,
    _ editor: ObjectEditor, in database: SQLiteDatabase
  ) throws {
    self.other = other
    self.identity = identity
    statements = editor.statements
    try database.run(
      "CREATE TABLE \(Self.chosen) (t INTEGER, k INTEGER, n INTEGER, PRIMARY KEY (t, k)) "
        + "WITHOUT ROWID")
    try database.run("CREATE INDEX temp.coffer_selected_distance ON coffer_selected (n, t, k)")
    summary.selectedCount = try selected.forEach(in: other.source) { key, root in
      guard let table = other.schema.table(of: root) else { return }
      _ = try choose(StoredObject(table: table, key: key), 0)
    }
    var distance = 0
    while try chooseNeeded(by: distance) > 0 { distance += 1 }
    let counter = RowCounter(other.database)
    summary.omittedCount = -summary.selectedCount - summary.neededCount
    for table in other.schema.tables {
      summary.omittedCount += try counter.rows(of: table.tableName)
    }
  }

  func contains(_ object: StoredObject) throws(CofferError) -> Bool {
    try statements.contains(object, in: Self.chosen)
  }

  /// Notes a relationship with an object that is neither merged nor in the store.
  func noteUnset() { summary.unsetCount += 1 }

  private func choose(_ object: StoredObject, _ distance: Int) throws(CofferError) -> Int {
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) VALUES (?, ?, ?)", .integer(Int64(object.table)),
      .integer(object.key), .integer(Int64(distance)))
  }

  /// Chooses the objects that the ones at a distance need.
  ///
  /// - Returns: the number of objects that were not chosen before.
  private func chooseNeeded(by distance: Int) throws -> Int {
    var added = 0
    try statements.forEachRow(
      "SELECT t, k FROM \(Self.chosen) WHERE n = \(distance) AND (t, k) > (?1, ?2) ORDER BY t, k",
      keys: 2
    ) { row in
      guard let table = row[0].integer, let key = row[1].integer else { return }
      for object in try needed(by: StoredObject(table: Int(table), key: key)) {
        guard try other.lookup.contains(object), try identity.present(object) == nil else {
          continue
        }
        added += try choose(object, distance + 1)
      }
    }
    summary.neededCount += added
    return added
  }

  /// The destinations of an object's relationships that are not optional.
  ///
  /// An object that the store has needs only its own destinations: the store has the others
  /// already.
  private func needed(by object: StoredObject) throws -> [StoredObject] {
    let isNew = try identity.present(object) == nil
    var found: [StoredObject] = []
    for reference in other.schema.references {
      if reference.table == object.table, let relationship = reference.relationship,
        !relationship.isOptional,
        let key = try other.lookup.integer(reference.column, of: object)
      {
        found.append(StoredObject(table: reference.destinationTable, key: key))
      }
      if isNew, reference.destinationTable == object.table,
        let inverse = reference.inverse?.relationship, !inverse.isOptional
      {
        found += try other.lookup.holders(of: object, in: reference)
      }
    }
    guard isNew else { return found }
    for pairs in other.schema.pairs {
      for (number, end) in pairs.ends.enumerated()
      where end.table == object.table && !end.relationship.isOptional {
        let table = pairs.ends[1 - number].table
        found += try other.lookup.partners(of: object.key, at: number, in: pairs)
          .map { StoredObject(table: table, key: $0) }
      }
    }
    return found
  }
}

extension ObjectSelection {
  /// The entities whose objects must be matched to merge the selected ones: their own, the required
  /// ones, and the destinations of both.
  func concerned(in model: ManagedObjectModel) -> Set<Name> {
    func tree(_ name: Name) -> [Name] { model.tree(of: name).map(\.name) }
    func destinations(_ name: Name, isRequired: Bool) -> [Name] {
      model.lineage(of: name).flatMap(\.relationships)
        .filter { !isRequired || !$0.isOptional }.flatMap { tree($0.destinationName) }
    }
    var needed: Set<Name> = []
    var pending = entityNames.flatMap(tree)
    while let name = pending.popLast() {
      if needed.insert(name).inserted {
        pending += destinations(name, isRequired: true)
      }
    }
    return needed.union(needed.flatMap { destinations($0, isRequired: false) })
  }
}
