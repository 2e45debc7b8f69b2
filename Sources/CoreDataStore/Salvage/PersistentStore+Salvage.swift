internal import CoreDataModel

extension PersistentStore {
  /// The properties of a table that a salvage needs; nil if the store has no such table.
  package func salvagedTable(_ name: String) -> SalvagedTable? {
    guard let schema = catalog.table(name) else { return nil }
    let numbers = entityNumbers(inTable: schema.name)
    guard !numbers.isEmpty, schema.column(StoredName.entityNumber) != nil else {
      return SalvagedTable(schema)
    }
    let greatest = numbers.compactMap { registry.row($0)?.maximumPrimaryKey.integer }.max()
    return SalvagedTable(
      schema, entityColumn: StoredName.entityNumber, entityNumbers: Set(numbers),
      greatestKey: greatest.flatMap { $0 > 0 ? $0 : nil })
  }

  /// The numbers of the entities with objects in a table, according to the store.
  private func entityNumbers(inTable name: String) -> [Int64] {
    let known = Set((registry.rows + registry.systemRows).map(\.number))
    if let table = layout.entityTables.first(where: { $0.tableName.hasSameBytes(as: name) }) {
      return table.entityNames.compactMap { layout.numbering.numbers[$0] }.filter(known.contains)
    }
    return registry.systemRows.filter {
      SchemaName(StoredName.systemTable(ofEntity: $0.name)) == SchemaName(name)
    }.map(\.number)
  }
}
