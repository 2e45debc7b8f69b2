internal import CoreDataLayout
package import CoreDataModel

/// Repairs of defects that no change by an app causes.
extension ObjectEditor {
  // MARK: References

  /// Empties a reference of an object, regardless of its value.
  ///
  /// - Returns: false if it was empty.
  /// - Throws: ``CofferError`` as ``set(_:of:to:)`` has it.
  package func unset(_ reference: Int, of object: StoredObject) throws(CofferError) -> Bool {
    if try set(reference, of: object, to: nil) { return true }
    let found = schema.references[reference]
    guard try hasValue(found.column, of: object) else { return false }
    try write(reference, of: object, nil)
    return true
  }

  /// The value in a column of an object; NULL if the object does not exist.
  package func value(_ column: Int, of object: StoredObject) throws(CofferError) -> SQLiteValue {
    try statements.row(
      "SELECT \(name(column, of: object.table)) FROM \(name(object.table)) WHERE Z_PK = ?",
      .integer(object.key))?[0] ?? .null
  }

  /// Whether a column of an object holds anything.
  package func hasValue(_ column: Int, of object: StoredObject) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(name(object.table)) WHERE Z_PK = ? AND "
        + "\(name(column, of: object.table)) IS NOT NULL", .integer(object.key)) != nil
  }

  /// Stores the entity of the destination with a reference, or null with a dangling reference.
  ///
  /// - Returns: false if it was right, or if the destination does not exist.
  /// - Throws: ``CofferError`` with `refused` if a trigger must run that coffer cannot run.
  package func storeEntity(of reference: Int, of object: StoredObject) throws(CofferError) -> Bool {
    let found = schema.references[reference]
    guard let column = found.entityColumn else { return false }
    var value = SQLiteValue.null
    if let key = try destination(reference, of: object) {
      let destination = StoredObject(table: found.destinationTable, key: key)
      guard let entity = try entityNumber(of: destination) else { return false }
      value = .integer(entity)
    }
    return try set(value, column: column, of: object)
  }

  // MARK: Pairs

  /// The defect of an object of a pair.
  package enum PairDefect: Sendable {
    /// It does not exist.
    case objectIsMissing
    /// It is of an entity that the relationship does not allow.
    case entityIsNotAllowed
  }

  /// Removes the pairs of an object that contain an object with a defect.
  ///
  /// - Parameters:
  ///   - source: the key of the object at the first end; 0 for pairs without one.
  ///   - pairs: the index of the join table in the schema.
  ///   - defect: the defect.
  /// - Returns: the number of removed pairs.
  /// - Throws: ``CofferError``: `refused` if a trigger must run that coffer cannot run; otherwise as
  ///   SQLite says.
  package func removePairs(
    of source: Int64, from pairs: Int, where defect: PairDefect
  ) throws(CofferError) -> Int {
    let found = schema.pairs[pairs]
    let columns = found.ends.map { quotedIdentifier($0.column) }
    let isDefective = (0...1).map { end in
      let object =
        "SELECT 1 FROM \(name(found.ends[end].table)) AS o WHERE o.Z_PK = j.\(columns[end])"
      switch defect {
      case .objectIsMissing:
        return "typeof(j.\(columns[end])) <> 'integer' OR NOT EXISTS (\(object) AND o.Z_PK <> 0)"
      case .entityIsNotAllowed:
        let allowed = schema.numbers(below: found.ends[end].property.entity)
        let others = Set(schema.model.entities.compactMap { schema.numbering.number(of: $0.name) })
          .subtracting(allowed).sorted().map { "\($0)" }.joined(separator: ", ")
        return "EXISTS (\(object) AND o.Z_ENT IN (\(others)))"
      }
    }.joined(separator: " OR ")
    let isSource =
      source == 0
      ? "?1 = 0 AND (typeof(j.\(columns[0])) <> 'integer' OR j.\(columns[0]) = 0)"
      : "j.\(columns[0]) = ?1"
    let table = quotedIdentifier(found.name)
    let defective =
      "SELECT DISTINCT j.\(columns[0]), j.\(columns[1]) FROM \(table) AS j WHERE (\(isSource)) "
      + "AND (\(isDefective)) LIMIT 1000"
    var count = 0
    while case let pairs = try statements.rows(defective, .integer(source)), !pairs.isEmpty {
      try requireEditable(table: found.name)
      for pair in pairs {
        count += try statements.run(
          "DELETE FROM \(table) WHERE \(columns[0]) IS ? AND \(columns[1]) IS ?", pair)
        try touchEnds(pair[0].integer ?? 0, pair[1].integer ?? 0, of: found)
      }
    }
    return count
  }

  // MARK: Positions

  /// The members of an ordered relationship that get positions.
  package enum OrderDefect: Sendable {
    /// Members with the position of another one.
    case clashing
    /// Members without a position, placed last.
    case missing
    /// Members whose position is not an integer, placed last.
    case invalid
  }

  /// Gives positions to members of an ordered relationship, except to members with other defects.
  ///
  /// - Returns: whether there were any.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func mendOrder(
    _ ordered: Int, of owner: Int64, _ defect: OrderDefect
  ) throws(CofferError) -> Bool {
    let found = schema.ordered[ordered]
    var positions: [Int64: Int64] = [:]
    var sound: [Int64] = []
    var added: [Int64] = []
    var previous: Int64?
    for member in try members(ordered, of: owner) {
      if let position = member.position {
        // The first of several members at one position keeps it.
        if defect != .clashing || position != previous { positions[member.key] = position }
        previous = position
        sound.append(member.key)
        continue
      }
      let isMissing =
        try statements.row(
          "SELECT 1 FROM \(found.table) WHERE \(found.owner) = ? AND \(found.member) = ? "
            + "AND \(found.order) IS NULL", .integer(owner), .integer(member.key)) != nil
      if defect == (isMissing ? .missing : .invalid) { added.append(member.key) }
    }
    guard defect == .clashing || !added.isEmpty else { return false }
    return try order(sound + added, at: positions, ordered, of: owner)
  }

  // MARK: Versions

  /// Gives an object a version that fits its updates in the history, without recording the change.
  ///
  /// - Returns: the version; nil if it was right.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func mendVersion(of object: StoredObject) throws(CofferError) -> Int64? {
    guard let column = schema.tables[object.table].position(of: .version) else { return nil }
    let (updates, overflows) = try recordedUpdates(of: object).addingReportingOverflow(1)
    if let version = try lookup.integer(column, of: object), version >= updates { return nil }
    guard !overflows else { return nil }
    try requireEditable(object.table)
    try statements.run(
      "UPDATE \(name(object.table)) SET \(name(column, of: object.table)) = ? WHERE Z_PK = ?",
      .integer(updates), .integer(object.key))
    return updates
  }

  // MARK: Keys

  /// The highest key of a table with a remaining reference, even if the object does not exist: a new object
  /// with that key would get the relationships and the history of another object.
  ///
  /// - Returns: 0 if nothing names one. Keys that leave no space for new ones do not count.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func highestNamedKey(of table: Int) throws(CofferError) -> Int64 {
    var columns: [(table: String, column: String)] = []
    for reference in schema.references where reference.destinationTable == table {
      columns.append((name(reference.table), name(reference.column, of: reference.table)))
    }
    for pairs in schema.pairs {
      for end in pairs.ends where end.table == table {
        columns.append((quotedIdentifier(pairs.name), quotedIdentifier(end.column)))
      }
    }
    var highest: Int64 = 0
    for (table, column) in columns {
      let row = try statements.row(
        "SELECT max(\(column)) FROM \(table) WHERE typeof(\(column)) = 'integer' "
          + "AND \(column) < ?", .integer(.max / 2))
      highest = max(highest, row?[0].integer ?? 0)
    }
    guard let changes = recordedChanges(of: table) else { return highest }
    let row = try statements.row(
      "SELECT max(\(StoredName.changedKey)) \(changes) AND "
        + "typeof(\(StoredName.changedKey)) = 'integer' AND \(StoredName.changedKey) < ?",
      .integer(.max / 2))
    return max(highest, row?[0].integer ?? 0)
  }

  // MARK: History

  private func recordedUpdates(of object: StoredObject) throws(CofferError) -> Int64 {
    guard let changes = recordedChanges(of: object.table) else { return 0 }
    let table = SQLiteValue.integer(Int64(object.table))
    if tablesWithCounts.insert(object.table).inserted {
      try statements.run(
        "CREATE TABLE IF NOT EXISTS \(Self.updates) (t INTEGER, k INTEGER, c INTEGER, "
          + "PRIMARY KEY (t, k)) WITHOUT ROWID")
      try statements.run(
        "INSERT INTO \(Self.updates) SELECT ?, \(StoredName.changedKey), count(*) \(changes) AND "
          + "\(StoredName.changeType) = 1 AND typeof(\(StoredName.changedKey)) = 'integer' "
          + "GROUP BY \(StoredName.changedKey)", table)
    }
    return try statements.row(
      "SELECT c FROM \(Self.updates) WHERE t = ? AND k = ?", table, .integer(object.key)
    )?[0].integer ?? 0
  }

  /// The end of a query for the changes of a table's objects; nil if the store has no history.
  private func recordedChanges(of table: Int) -> String? {
    let needed = [StoredName.changeType, StoredName.changedEntity, StoredName.changedKey]
    guard let changes = store.catalog.table(StoredName.changes),
      needed.allSatisfy({ changes.column($0) != nil })
    else { return nil }
    let numbers = schema.numbers(below: schema.tables[table].rootEntityName).sorted()
      .map { "\($0)" }.joined(separator: ", ")
    return "FROM \(StoredName.changes) WHERE \(StoredName.changedEntity) IN (\(numbers))"
  }
}
