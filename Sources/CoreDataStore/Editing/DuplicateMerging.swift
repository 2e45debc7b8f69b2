internal import CoreDataLayout
package import CoreDataModel

/// The duplicate object that remains.
public enum DuplicateSurvivor: String, Sendable, CaseIterable {
  /// The one with the lowest primary key.
  case oldest
  /// The one with the highest primary key.
  case newest
  /// The object with the most values; the oldest if several have equally many. Missing values are
  /// filled in from the other objects, oldest first.
  case mostComplete = "most-complete"
}

/// Merges duplicate objects: one of each group remains.
///
/// References to the others move to the object that remains, which also takes over the to-one relationships
/// that it lacks. Relationships between different objects of a group are dropped, so that none becomes
/// one of the object to itself. If it already has a partner in a relationship that is to-one on both
/// sides, it keeps it; the partner of the
/// other is removed if the relationship cascades.
package final class DuplicateMerging {
  /// The result of a merge.
  package struct Counts: Sendable {
    /// The removed objects of the groups by the number of their entity.
    package var removed: [Int64: Int] = [:]
    /// The relationships that now refer to the remaining objects.
    package var movedCount = 0
    /// The relationships between different objects of a group, which end with the merge.
    package var droppedCount = 0
    /// The objects that only removed objects owned, and that were removed with them.
    package var cascadedCount = 0
  }

  /// The removed objects: table, key, and key of the object that remains.
  private static let removed = "temp.coffer_duplicates"

  let editor: ObjectEditor
  private let database: SQLiteDatabase
  private let survivor: DuplicateSurvivor
  var counts = Counts()
  /// By ordered relationship and owner: the keys of the members to put after the others.
  var appended: [Int: [Int64: [Int64]]] = [:]
  /// By table: the columns of values and to-one relationships.
  private let filledColumns: [[Int]]
  /// By table: the columns of each attribute that can be filled in.
  private let attributes: [[[Int]]]

  /// Begins.
  package init(
    _ editor: ObjectEditor, _ database: SQLiteDatabase, keeping survivor: DuplicateSurvivor
  ) throws(CofferError) {
    self.editor = editor
    self.database = database
    self.survivor = survivor
    filledColumns = editor.schema.tables.map { table in
      table.columns.indices.filter {
        switch table.columns[$0].role {
        case .attribute, .toOne: true
        default: false
        }
      }
    }
    attributes = editor.schema.tables.map { Self.attributes(of: $0, editor.schema.model) }
    try database.run(
      "CREATE TABLE \(Self.removed) (t INTEGER, k INTEGER, s INTEGER, PRIMARY KEY (t, k)) "
        + "WITHOUT ROWID")
    try database.run(
      "CREATE INDEX temp.coffer_survivors ON \(Self.removed.dropFirst("temp.".count)) (t, s, k)")
  }

  /// The columns of the attributes of a table that are not derived; the columns of a composite
  /// attribute are together.
  private static func attributes(of table: EntityTable, _ model: ManagedObjectModel) -> [[Int]] {
    var found: [PropertyReference: [Int]] = [:]
    for (column, field) in table.columns.enumerated() {
      guard case .attribute(let path, _, _, let entity) = field.role, let name = path.first,
        let attribute = model[entity]?.attributes.first(where: { $0.name == name }),
        !attribute.isDerived
      else { continue }
      found[PropertyReference(entity: entity, property: name), default: []].append(column)
    }
    return found.values.sorted { $0[0] < $1[0] }
  }

  // MARK: Groups

  /// Adds a group of objects of the same entity.
  ///
  /// - Parameters:
  ///   - keys: the primary keys, in ascending order.
  ///   - table: the index of their table.
  ///   - columns: the columns in which objects must have the same values as the remaining object; the
  ///     others stay.
  /// - Returns: the number of objects that will be removed.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func add(
    _ keys: [Int64], in table: Int, equalIn columns: [Int]
  ) throws(CofferError) -> Int {
    guard let first = keys.first, let last = keys.last, keys.count > 1 else { return 0 }
    let kept =
      switch survivor {
      case .oldest: first
      case .newest: last
      case .mostComplete: try mostComplete(of: keys, in: table)
      }
    var count = 0
    for key in keys where key != kept {
      guard try areEqual(key, kept, in: table, columns) else { continue }
      try editor.statements.run(
        "INSERT INTO \(Self.removed) VALUES (?, ?, ?)", .integer(Int64(table)), .integer(key),
        .integer(kept))
      count += 1
    }
    return count
  }

  /// Whether two objects have the same values: objects were found by hashes of them.
  private func areEqual(
    _ key: Int64, _ other: Int64, in table: Int, _ columns: [Int]
  ) throws(CofferError) -> Bool {
    guard !columns.isEmpty else { return true }
    let conditions = columns.map { column in
      let name = editor.name(column, of: table)
      return "a.\(name) IS b.\(name)"
    }
    let name = editor.name(table)
    return try editor.statements.row(
      "SELECT 1 FROM \(name) AS a, \(name) AS b WHERE a.Z_PK = ? AND b.Z_PK = ? AND "
        + conditions.joined(separator: " AND "), .integer(key), .integer(other)) != nil
  }

  private func mostComplete(of keys: [Int64], in table: Int) throws(CofferError) -> Int64 {
    let terms = filledColumns[table].map { "(\(editor.name($0, of: table)) IS NOT NULL)" }
    var best: (key: Int64, count: Int64) = (keys[0], -1)
    for key in keys {
      let row = try editor.statements.row(
        "SELECT \((["0"] + terms).joined(separator: " + ")) FROM \(editor.name(table)) "
          + "WHERE Z_PK = ?", .integer(key))
      if let count = row?[0].integer, count > best.count { best = (key, count) }
    }
    return best.key
  }

  // MARK: Merging

  /// Merges all groups.
  ///
  /// - Throws: ``CofferError``: `refused` if an object that would be removed with another denies it; as
  ///   SQLite says; errors from the closure.
  package func complete(step: () throws -> Void) throws -> Counts {
    try forEach(orderedBy: "t, k") { object, kept in
      try step()
      try move(object, to: kept)
    }
    try orderAppended()
    var group: [StoredObject] = []
    var current: StoredObject?
    func finish() throws {
      if let current { try remove(group, into: current) }
      group.removeAll(keepingCapacity: true)
    }
    try forEach(orderedBy: "t, s, k") { object, kept in
      try step()
      if current != kept { try finish() }
      current = kept
      group.append(object)
    }
    try finish()
    return counts
  }

  private func forEach(
    orderedBy order: String, _ body: (StoredObject, StoredObject) throws -> Void
  ) throws {
    let statement = try database.prepare("SELECT t, k, s FROM \(Self.removed) ORDER BY \(order)")
    while try statement.step() {
      let table = Int(clamping: statement.int64(0))
      try body(
        StoredObject(table: table, key: statement.int64(1)),
        StoredObject(table: table, key: statement.int64(2)))
    }
  }

  /// The object that remains of an object's group; nil if the object itself remains.
  func kept(of object: StoredObject) throws(CofferError) -> StoredObject? {
    try editor.statements.row(
      "SELECT s FROM \(Self.removed) WHERE t = ? AND k = ?", .integer(Int64(object.table)),
      .integer(object.key))?[0].integer.map { StoredObject(table: object.table, key: $0) }
  }

  private func isKept(_ object: StoredObject) throws(CofferError) -> Bool {
    try editor.statements.row(
      "SELECT 1 FROM \(Self.removed) WHERE t = ? AND s = ? LIMIT 1",
      .integer(Int64(object.table)), .integer(object.key)) != nil
  }

  // MARK: Removing

  /// Removes objects after everything was moved to the remaining object.
  private func remove(_ objects: [StoredObject], into kept: StoredObject) throws(CofferError) {
    let values = survivor == .mostComplete ? try lackingValues(of: kept, objects) : []
    for object in objects {
      guard let entity = try editor.entityNumber(of: object) else { continue }
      let owned = try ownedObjects(of: object)
      try editor.delete([object])
      counts.removed[entity, default: 0] += 1
      for other in owned where try editor.entityNumber(of: other) != nil {
        try editor.delete([other])
        counts.cascadedCount += 1
      }
    }
    // Only now: a value may have to be unique.
    for (column, value) in values { try editor.set(value, column: column, of: kept) }
  }

  /// The values of others, the first one's before the next one's, where an object has none.
  private func lackingValues(
    of kept: StoredObject, _ objects: [StoredObject]
  ) throws(CofferError) -> [(column: Int, value: SQLiteValue)] {
    var values: [(Int, SQLiteValue)] = []
    for columns in attributes[kept.table] {
      let names = columns.map { editor.name($0, of: kept.table) }.joined(separator: ", ")
      let sql = "SELECT \(names) FROM \(editor.name(kept.table)) WHERE Z_PK = ?"
      guard let own = try editor.statements.row(sql, .integer(kept.key)),
        own.allSatisfy({ $0 == .null })
      else { continue }
      for object in objects {
        guard let row = try editor.statements.row(sql, .integer(object.key)),
          row.contains(where: { $0 != .null })
        else { continue }
        values += zip(columns, row).filter { $0.1 != .null }
        break
      }
    }
    return values
  }

  /// The objects that a removed object owns by a cascading relationship that is to-one on both sides, and the
  /// objects that they own in turn.
  private func ownedObjects(of object: StoredObject) throws(CofferError) -> [StoredObject] {
    var owned: [StoredObject] = []
    for (index, reference) in editor.schema.references.enumerated()
    where reference.table == object.table && reference.partner != nil
      && reference.relationship?.deleteRule == .cascade
    {
      guard let key = try editor.destination(index, of: object) else { continue }
      let other = StoredObject(table: reference.destinationTable, key: key)
      guard try kept(of: other) == nil, try !isKept(other) else { continue }
      let plan = try editor.plannedDeletion(of: other)
      if let denial = plan.denial { throw refusal(denial) }
      for found in plan.objects where found != object && !owned.contains(found) {
        if try kept(of: found) == nil, try !isKept(found) { owned.append(found) }
      }
    }
    return owned
  }

  private func refusal(_ denial: (object: StoredObject, relationshipName: Name)) -> CofferError {
    let name = editor.schema.tables[denial.object.table].rootEntityName
    return CofferError(
      .refused, path: editor.store.path,
      item: "\(name)/p\(denial.object.key).\(denial.relationshipName)",
      detail: "the object belongs to one that would be removed, but denies its own deletion",
      advice: "Remove its destinations in the app first.")
  }
}
