internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The values of the rows in an added column.
extension StructureEditor {
  /// Fills a new column with values derived from other data, or with the default.
  ///
  /// - Throws: ``CofferError`` with `refused` if objects would lack a value that they must have.
  func fill(_ place: ColumnPlace) throws(CofferError) {
    let schema = EditedSchema(store.layout)
    try fillPositions(place, schema)
    for (number, table) in schema.tables.enumerated() where table.tableName == place.table {
      for (column, field) in table.columns.enumerated() where field.storedName == place.column {
        switch field.role {
        case .version: try set("1", place)
        case .attribute(let path, _, let isExternal, let declarer):
          try fill(place, path, isExternal: isExternal, of: declarer, schema)
        case .toOne, .toOneEntity, .owner:
          for (index, reference) in schema.references.enumerated()
          where reference.table == number
            && (reference.column == column || reference.entityColumn == column)
          {
            if reference.column == column { try fillReference(index, place, schema) }
            try fillEntities(index, schema)
          }
        default: break
        }
      }
    }
  }

  private func set(
    _ value: String, _ place: ColumnPlace, where condition: String = "1",
    _ arguments: [SQLiteValue] = []
  ) throws(CofferError) {
    try database.run(
      "UPDATE \(quotedIdentifier(place.table)) AS t SET \(quotedIdentifier(place.column)) = \(value) "
        + "WHERE \(condition)", arguments)
  }

  private func list(_ numbers: Set<Int64>) -> String {
    numbers.sorted().map { "\($0)" }.joined(separator: ", ")
  }

  /// Refuses a column if objects lack a required value in it.
  private func requireValues(
    _ place: ColumnPlace, of holders: Set<Int64>, _ what: String
  ) throws(CofferError) {
    let count =
      try database.value(
        "SELECT count(*) FROM \(quotedIdentifier(place.table)) WHERE Z_ENT IN (\(list(holders))) "
          + "AND \(quotedIdentifier(place.column)) IS NULL")?.integer ?? 0
    guard count > 0 else { return }
    let objects = count == 1 ? "1 object has" : "\(count) objects have"
    throw refusal("\(what), and \(objects) lost it")
  }

  // MARK: Attributes

  private func fill(
    _ place: ColumnPlace, _ path: [Name], isExternal: Bool, of declarer: Name,
    _ schema: EditedSchema
  ) throws(CofferError) {
    guard let attribute = store.model[declarer]?.attribute(at: path), !attribute.isDerived
    else { return }
    let holders = schema.numbers(below: declarer)
    if !isExternal, let value = AttributeDefault(attribute) {
      try set("?1", place, where: "Z_ENT IN (\(list(holders)))", [SQLiteValue(value)])
    } else if !attribute.isOptional, path.count == 1 {
      // An element is required where the other elements have values; only a verification can check
      // that.
      try requireValues(place, of: holders, "the attribute is required and has no default")
    }
  }

  // MARK: Relationships

  /// Sets the inverse of each reference in a relationship that is to-one on both sides.
  private func fillReference(
    _ index: Int, _ place: ColumnPlace, _ schema: EditedSchema
  ) throws(CofferError) {
    let reference = schema.references[index]
    if let partner = reference.partner, partner != index {
      let other = schema.references[partner]
      let table = schema.tables[other.table]
      let back =
        "FROM \(quotedIdentifier(table.tableName)) AS o WHERE "
        + "o.\(quotedIdentifier(table.columns[other.column].storedName)) = t.Z_PK"
      try set(
        "(SELECT o.Z_PK \(back))", place,
        where: "t.Z_ENT IN (\(list(reference.holders))) AND (SELECT count(*) \(back)) = 1")
    }
    if reference.relationship?.isOptional == false {
      try requireValues(
        place, of: reference.holders,
        "the relationship is required and its destination is unknown")
    }
    guard let order = reference.orderColumn else { return }
    // A position in no object's list.
    let position = schema.tables[reference.table].columns[order].storedName
    try set(
      "NULL", ColumnPlace(table: place.table, column: position),
      where: "\(quotedIdentifier(place.column)) IS NULL")
  }

  /// Stores the entity of a reference's destination with the reference.
  private func fillEntities(_ index: Int, _ schema: EditedSchema) throws(CofferError) {
    let reference = schema.references[index]
    guard let column = reference.entityColumn else { return }
    let table = schema.tables[reference.table]
    let key = quotedIdentifier(table.columns[reference.column].storedName)
    let destination = quotedIdentifier(schema.tables[reference.destinationTable].tableName)
    try set(
      "(SELECT o.Z_ENT FROM \(destination) AS o WHERE o.Z_PK = t.\(key))",
      ColumnPlace(table: table.tableName, column: table.columns[column].storedName))
  }

  /// Puts the objects of each list in the order of their keys, as a migration of a relationship that
  /// becomes ordered does.
  private func fillPositions(_ place: ColumnPlace, _ schema: EditedSchema) throws(CofferError) {
    for ordered in schema.ordered
    where ordered.tableName == place.table && ordered.order == quotedIdentifier(place.column) {
      try database.run(
        "UPDATE \(ordered.table) AS t SET \(ordered.order) = n.p FROM (SELECT rowid AS r, "
          + "1024 + 1024 * row_number() OVER (PARTITION BY \(ordered.owner) ORDER BY "
          + "\(ordered.member)) AS p FROM \(ordered.table) WHERE \(ordered.owner) IS NOT NULL) AS n "
          + "WHERE n.r = t.rowid")
    }
  }
}
