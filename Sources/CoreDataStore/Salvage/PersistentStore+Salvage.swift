internal import CoreDataModel

extension PersistentStore {
  /// What a salvage needs to know of a table; nil where the store has none of that name.
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

  /// The numbers of the entities whose objects a table holds, as the store itself tells them.
  private func entityNumbers(inTable name: String) -> [Int64] {
    let known = Set((registry.rows + registry.systemRows).map(\.number))
    if let table = layout.entityTables.first(where: { $0.tableName == name }) {
      return table.entityNames.compactMap { layout.numbering.numbers[$0] }.filter(known.contains)
    }
    return registry.systemRows.filter {
      SchemaName(StoredName.systemTable(ofEntity: $0.name)) == SchemaName(name)
    }.map(\.number)
  }
}
