internal import CoreDataLayout
package import CoreDataModel

/// Derived attributes.
extension ObjectEditor {
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
    /// The condition for the objects whose value is known: a copy of a missing object contains all that
    /// remains of it.
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
    _ expression: ModelExpression, of entity: Name, in table: Int
  ) -> (value: String, condition: String, isKnown: String)? {
    switch expression {
    case .keyPath(nil, let path):
      let path = Name.path(path, omittingEmptyNames: false)
      if path.count == 2, path[1] == "@count" { return count(path[0], of: entity, in: table) }
      return path.count > 1 ? copy(path, of: entity, in: table) : nil
    case .function(nil, "count:", let arguments):
      guard arguments.count == 1, case .keyPath(nil, let path) = arguments[0], !path.contains(".")
      else { return nil }
      return count(Name(path), of: entity, in: table)
    default: return nil
    }
  }

  /// The value of an attribute of the destination of a to-one relationship.
  private func copy(
    _ path: [Name], of entity: Name, in table: Int
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
        + "p IN (\(Self.inserted), \(reference.column)) UNION ALL "
        + "SELECT a.Z_PK FROM \(name(table)) AS a WHERE a.\(toOne) IN "
        + "(SELECT k FROM \(Self.touched) WHERE t = \(other)))",
      "d.\(toOne) IS NULL OR EXISTS (SELECT 1 FROM \(name(other)) AS s WHERE s.Z_PK = d.\(toOne))"
    )
  }

  /// The number of the destinations of a to-many relationship.
  private func count(
    _ relationship: Name, of entity: Name, in table: Int
  ) -> (value: String, condition: String, isKnown: String)? {
    guard let found = schema.model.relationship(relationship, of: entity) else { return nil }
    let affected = "d.Z_PK IN (SELECT k FROM \(Self.touched) WHERE t = \(table))"
    for reference in schema.references where reference.destinationTable == table {
      guard let inverse = reference.inverse, inverse.relationship.name == relationship,
        inverse.entity == found.declaredBy
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
      // No index of the entities: there are fewer affected objects.
      "UPDATE \(name(derived.table)) AS d SET \(column) = \(derived.value) WHERE +d.Z_ENT IN "
        + "(\(numbers)) AND (\(condition)) AND (\(derived.isKnown)) "
        + "AND d.\(column) IS NOT \(derived.value)", arguments) > 0
  }

  /// Computes a derived attribute of an object again, as the triggers of the store would: its version
  /// stays.
  ///
  /// - Returns: whether it had another value; nil if coffer does not compute the attribute.
  /// - Throws: ``CofferError``: `refused` if a trigger must run that coffer cannot run; otherwise as
  ///   SQLite says.
  package func compute(_ attribute: Name, of object: StoredObject) throws(CofferError) -> Bool? {
    guard let entity = try entityNumber(of: object) else { return nil }
    let found = derivedValues.first { derived in
      guard derived.table == object.table, derived.entities.contains(entity),
        case .attribute(let path, _, _, _) = schema.tables[derived.table].columns[derived.column]
          .role
      else { return false }
      return path.count == 1 && path[0] == attribute
    }
    guard let found else { return nil }
    try requireEditable(object.table)
    return try compute(found, where: "d.Z_PK = ?1", .integer(object.key))
  }
}
