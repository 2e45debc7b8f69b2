internal import CoreDataLayout
package import CoreDataModel

extension ObjectEditor {
  /// The author of the history's transactions of this program.
  package static let author = "coffer"

  /// Completes all changes: positions, values that Core Data computes, versions, counters, and a
  /// transaction of the persistent history where the store has one.
  ///
  /// - Parameter time: the time of the transaction, in seconds since 2001.
  /// - Throws: ``CofferError``: `refused` if the store has a history of an unknown form; otherwise as
  ///   SQLite says.
  package func finish(at time: Double) throws(CofferError) {
    try appendUnordered()
    try keepReferencedFiles()
    guard try statements.row("SELECT 1 FROM \(Self.touched) LIMIT 1") != nil else { return }
    try computeDerivedValues()
    try updateSpatialIndexes()
    for table in schema.tables.indices { try raiseVersions(in: table) }
    for (table, highest) in highestKeys.sorted(by: { $0.key < $1.key }) {
      try statements.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?2 WHERE Z_ENT = ?1", .integer(rootNumber(of: table)),
        .integer(highest))
    }
    try HistoryRecording(self)?.record(at: time)
  }

  /// Computes what depends on other values, for all objects of a fresh store.
  ///
  /// These are values that Core Data computes, and the entries of spatial indexes. Versions stay, and the
  /// history learns nothing.
  ///
  /// - Parameter keepsDerivedValues: whether the values that Core Data computes stay unchanged.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func computeAll(keepsDerivedValues: Bool) throws(CofferError) {
    for table in schema.tables.indices {
      try statements.run(
        "INSERT OR IGNORE INTO \(Self.touched) SELECT \(table), Z_PK, \(Self.inserted) FROM "
          + name(table))
    }
    if !keepsDerivedValues { try computeDerivedValues() }
    try updateSpatialIndexes()
  }

  private func raiseVersions(in table: Int) throws(CofferError) {
    try statements.run(
      "UPDATE \(name(table)) SET Z_OPT = ifnull(Z_OPT, 0) + 1 WHERE Z_PK IN ("
        + "SELECT k FROM \(Self.touched) WHERE t = ? GROUP BY k HAVING min(p) >= 0)",
      .integer(Int64(table)))
  }

  // MARK: Spatial indexes

  /// The spatial indexes of the store: the quoted name of each, the index of the table of its objects,
  /// its attribute, and the columns of that; nil where they are unknown.
  var spatialIndexes: [(name: String, table: Int, attribute: String, columns: [Int]?)] {
    schema.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        let name = StoredName.spatialIndex(entity: entity.name, attribute: attribute.name)
        guard let table = schema.table(of: entity.name), let found = store.catalog.table(name)
        else { return nil }
        let components = attribute.spatialComponents
        let columns = components?.compactMap { column(of: $0, entity.name, in: table) }
        return (
          quotedIdentifier(found.name), table, attribute.name,
          columns?.count == components?.count ? columns : nil
        )
      }
    }
  }

  /// Gives objects the entries of spatial indexes that Core Data's triggers would.
  ///
  /// Source: store-format, section 5.7.
  private func updateSpatialIndexes() throws(CofferError) {
    for index in spatialIndexes {
      if let columns = index.columns {
        try updateSpatialIndex(index.name, of: index.table, columns)
      }
    }
  }

  private func updateSpatialIndex(
    _ index: String, of table: Int, _ columns: [Int]
  ) throws(CofferError) {
    let properties = ([Int(Self.inserted), Int(Self.removed)] + columns).map { "\($0)" }
      .joined(separator: ", ")
    let keys = "SELECT k FROM \(Self.touched) WHERE t = ?1 AND p IN (\(properties))"
    try write(index, of: table, columns, where: "Z_PK IN (\(keys))", .integer(Int64(table)))
  }

  private func write(
    _ index: String, of table: Int, _ columns: [Int], where condition: String,
    _ argument: SQLiteValue
  ) throws(CofferError) {
    try statements.run("DELETE FROM \(index) WHERE \(condition)", argument)
    let bounds = columns.map { "ifnull(\(name($0, of: table)), 0)" }.map { "\($0), \($0)" }
    try statements.run(
      "INSERT INTO \(index) SELECT Z_PK, \(bounds.joined(separator: ", ")) FROM \(name(table)) "
        + "WHERE \(condition)", argument)
  }

  /// Writes the entry of an object in the spatial index of an attribute again; removes the entry of
  /// an object that does not exist.
  ///
  /// - Returns: whether the entry was another one; nil if there is no such index.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func writeSpatialEntry(
    _ attribute: String, of object: StoredObject
  ) throws(CofferError) -> Bool? {
    var isChanged: Bool?
    for index in spatialIndexes
    where index.table == object.table && index.attribute.hasSameBytes(as: attribute) {
      guard let columns = index.columns else { continue }
      let entry = "SELECT * FROM \(index.name) WHERE Z_PK = ?"
      let before = try statements.row(entry, .integer(object.key))
      try write(
        index.name, of: index.table, columns, where: "Z_PK = ?1", .integer(object.key))
      let after = try statements.row(entry, .integer(object.key))
      isChanged = isChanged == true || before != after
    }
    return isChanged
  }

  private func column(of path: [String], _ entity: String, in table: Int) -> Int? {
    let declarers = schema.model.lineage(of: entity).map(\.name).exactStrings
    return schema.tables[table].columns.firstIndex {
      guard case .attribute(let own, _, _, let declarer) = $0.role else { return false }
      return own.elementsEqual(path, by: { $0.hasSameBytes(as: $1) })
        && declarers.contains(declarer)
    }
  }

  // MARK: Derived attributes

  /// The derived attributes that coffer computes, by table and column.
  package var computedColumns: [(table: Int, column: Int)] {
    derivedValues.map { ($0.table, $0.column) }
  }

  /// A derived attribute with the statement for its value and the condition for the objects that were
  /// affected.
  struct DerivedValue {
    var table: Int
    var column: Int
    var entities: Set<Int64>
    var value: String
    var isAffected: String
    /// The condition for the objects whose value is known: a copy of a missing object holds all
    /// that remains of it.
    var isKnown: String
  }

  func makeDerivedValues() -> [DerivedValue] {
    schema.model.entities.flatMap { entity -> [DerivedValue] in
      guard let table = schema.table(of: entity.name) else { return [] }
      return entity.attributes.compactMap { attribute in
        guard let derivation = attribute.derivation, derivation.filteringPredicate == nil,
          let column = column(of: [attribute.name], entity.name, in: table),
          let found = value(derivation.expression, of: entity.name, in: table)
        else { return nil }
        return DerivedValue(
          table: table, column: column, entities: schema.numbers(below: entity.name),
          value: found.value, isAffected: found.condition, isKnown: found.isKnown)
      }
    }
  }

  private func value(
    _ expression: ModelExpression, of entity: String, in table: Int
  ) -> (value: String, condition: String, isKnown: String)? {
    switch expression {
    case .keyPath(nil, let path):
      let path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if path.count == 2, path[1] == "@count" { return count(path[0], of: entity, in: table) }
      return path.count > 1 ? copy(path, of: entity, in: table) : nil
    case .function(nil, "count:", let arguments):
      guard arguments.count == 1, case .keyPath(nil, let path) = arguments[0], !path.contains(".")
      else { return nil }
      return count(path, of: entity, in: table)
    default: return nil
    }
  }

  /// The value of an attribute of the destination of a to-one relationship.
  private func copy(
    _ path: [String], of entity: String, in table: Int
  ) -> (value: String, condition: String, isKnown: String)? {
    guard let found = schema.model.relationship(path[0], of: entity),
      let reference = schema.references.first(where: {
        $0.table == table && $0.relationship?.name == path[0]
          && schema.tables[table].columns[$0.column].role
            == .toOne(name: path[0], entity: found.declaredBy)
      }),
      let value = column(
        of: Array(path.dropFirst()), found.relationship.destinationName,
        in: reference.destinationTable)
    else { return nil }
    let toOne = name(reference.column, of: table)
    let other = reference.destinationTable
    return (
      "(SELECT s.\(name(value, of: other)) FROM \(name(other)) AS s WHERE s.Z_PK = d.\(toOne))",
      "d.Z_PK IN (SELECT k FROM \(Self.touched) WHERE t = \(table) AND "
        + "p IN (\(Self.inserted), \(reference.column))) OR d.\(toOne) IN "
        + "(SELECT k FROM \(Self.touched) WHERE t = \(other))",
      "d.\(toOne) IS NULL OR EXISTS (SELECT 1 FROM \(name(other)) AS s WHERE s.Z_PK = d.\(toOne))"
    )
  }

  /// The number of the destinations of a to-many relationship.
  private func count(
    _ relationship: String, of entity: String, in table: Int
  ) -> (value: String, condition: String, isKnown: String)? {
    guard let found = schema.model.relationship(relationship, of: entity) else { return nil }
    let affected = "d.Z_PK IN (SELECT k FROM \(Self.touched) WHERE t = \(table))"
    for reference in schema.references where reference.destinationTable == table {
      guard let inverse = reference.inverse, inverse.relationship.name == relationship,
        inverse.entity.hasSameBytes(as: found.declaredBy)
      else { continue }
      return (
        "(SELECT count(*) FROM \(name(reference.table)) AS s WHERE "
          + "s.\(name(reference.column, of: reference.table)) = d.Z_PK)", affected, "1"
      )
    }
    let property = PropertyReference(entity: found.declaredBy, property: relationship)
    for pairs in schema.pairs where !pairs.isReflexive {
      guard let end = pairs.ends.first(where: { $0.property == property }) else { continue }
      return (
        "(SELECT count(*) FROM \(quotedIdentifier(pairs.name)) AS s WHERE "
          + "s.\(quotedIdentifier(end.column)) = d.Z_PK)", affected, "1"
      )
    }
    return nil
  }

  /// Computes the derived attributes of objects that were touched, or that touched ones derive from.
  func computeDerivedValues() throws(CofferError) {
    for derived in derivedValues { try compute(derived, where: derived.isAffected) }
  }

  /// Computes derived attributes of all objects that have none, for objects that were not inserted by
  /// this editor.
  ///
  /// - Parameter isWanted: whether to compute the attribute in a column of a table.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func computeMissingValues(
    where isWanted: (_ table: Int, _ column: Int) -> Bool
  ) throws(CofferError) {
    for derived in derivedValues where isWanted(derived.table, derived.column) {
      try compute(derived, where: "d.\(name(derived.column, of: derived.table)) IS NULL")
    }
  }

  @discardableResult
  private func compute(
    _ derived: DerivedValue, where condition: String, _ arguments: SQLiteValue...
  ) throws(CofferError) -> Bool {
    let column = name(derived.column, of: derived.table)
    let numbers = derived.entities.sorted().map { "\($0)" }.joined(separator: ", ")
    return try statements.run(
      "UPDATE \(name(derived.table)) AS d SET \(column) = \(derived.value) WHERE d.Z_ENT IN "
        + "(\(numbers)) AND (\(condition)) AND (\(derived.isKnown)) "
        + "AND d.\(column) IS NOT \(derived.value)", arguments) > 0
  }

  /// Computes a derived attribute of an object again, as the triggers of the store would: its version
  /// stays.
  ///
  /// - Returns: whether it had another value; nil if coffer does not compute the attribute.
  /// - Throws: ``CofferError``: `refused` if a trigger must run that coffer cannot run; otherwise as
  ///   SQLite says.
  package func compute(
    _ attribute: String, of object: StoredObject
  ) throws(CofferError) -> Bool? {
    guard let entity = try entityNumber(of: object) else { return nil }
    let found = derivedValues.first { derived in
      guard derived.table == object.table, derived.entities.contains(entity),
        case .attribute(let path, _, _, _) = schema.tables[derived.table].columns[derived.column]
          .role
      else { return false }
      return path.count == 1 && path[0].hasSameBytes(as: attribute)
    }
    guard let found else { return nil }
    try requireEditable(object.table)
    return try compute(found, where: "d.Z_PK = ?1", .integer(object.key))
  }
}
