internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A value that an inserted row may have in another storage class, depending on the type of its column.
///
/// Rows that SQLite itself wrote have none, unless the schema or the bytes were changed later.
struct ConvertedValue: Sendable {
  let value: ConvertibleValue
  let column: Int
  /// The primary key or the number of the row.
  let row: Int64
  /// The entity number of the object; 0 if it is none.
  let entityNumber: Int64

  /// The finding that the value is converted; nil if the column keeps it.
  fileprivate func finding(
    in table: TableLayout, _ columns: SchemaTable?, _ entities: NumberedEntities
  ) -> Finding? {
    let field = table.fields[column]
    guard let declared = columns?.column(field.storedName)?.declaredType,
      ColumnAffinity(declared).converts(value)
    else { return nil }
    let detail =
      switch value {
      case .integer: "an integer"
      case .real: "a floating point number"
      case .number: "a text that is a number"
      }
    guard table.kind == .entity else {
      return Finding(
        .convertedValue, entityName: table.entityName,
        detail: "\(detail) in \(table.storedName).\(field.storedName), row \(row)")
    }
    return Finding(
      .convertedValue,
      objectID: ManagedObjectID(
        entityName: entities.names[entityNumber] ?? table.entityName ?? "", primaryKey: row),
      propertyName: table.propertyName(column), detail: detail)
  }
}

extension FindingCollector {
  /// Adds the findings about values of a table that its columns convert.
  mutating func add(
    _ values: [ConvertedValue], of table: TableLayout, in catalog: SchemaCatalog,
    _ entities: NumberedEntities
  ) {
    guard !values.isEmpty else { return }
    let columns = catalog.table(table.storedName)
    for value in values {
      if let finding = value.finding(in: table, columns, entities) { add(finding) }
    }
  }
}
