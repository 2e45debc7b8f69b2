internal import CoreDataModel

/// A uniqueness constraint of an entity, in the statement of its table or as an index.
///
/// Source: store-format, section 5.7.
struct UniqueConstraintDesign {
  /// The entity that declares it.
  let entity: String
  /// The properties in order.
  let properties: [String]
  /// Their columns in the same order.
  let columns: [String]

  /// The constraints that entities declare, without those that they inherit unchanged, and without
  /// those of properties that have no column.
  static func list(
    _ entities: [EntityDescription], _ model: ManagedObjectModel, _ columns: DesignColumns
  ) -> [UniqueConstraintDesign] {
    entities.flatMap { entity -> [UniqueConstraintDesign] in
      let above = entity.superentityName.flatMap { model[$0]?.uniquenessConstraints } ?? []
      let inherited = Set(above.map { $0.map { ExactString($0) } })
      return entity.uniquenessConstraints.filter { !inherited.contains($0.map { ExactString($0) }) }
        .compactMap { properties in
          let found = properties.compactMap { columns.column(of: entity.name, path: $0) }
          guard found.count == properties.count, !found.isEmpty else { return nil }
          return UniqueConstraintDesign(
            entity: entity.name, properties: properties, columns: found)
        }
    }
  }

  /// The index that enforces it.
  func index(on table: String) -> SchemaStatement {
    let name = "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
    let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
    return SchemaStatement(
      kind: .index, name: name, tableName: table,
      sql: "CREATE UNIQUE INDEX \(name) ON \(table) (\(list))")
  }
}
