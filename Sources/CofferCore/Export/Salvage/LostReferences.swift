internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Finds references from readable objects to lost ones.
struct LostReferences {
  /// A column that refers to a table with losses.
  private struct Column {
    var stored: ReferenceScan.Column
    var relationship: Name
    var destination: Name
  }

  let model: ManagedObjectModel
  let entities: NumberedEntities
  let shapes: [TableLayout]
  let salvage: StoreSalvage

  /// Checks all tables.
  func check(
    _ database: SQLiteDatabase, report: (SalvageDocument.Reference, Finding) -> Void
  ) throws {
    for shape in shapes {
      let columns = columns(of: shape)
      guard !columns.isEmpty else { continue }
      try Task<Never, Never>.checkCancellation()
      try salvage.use(shape, of: database) { database in
        try check(shape, columns, database, report)
      }
    }
  }

  private func check(
    _ shape: TableLayout, _ columns: [Column], _ database: SQLiteDatabase,
    _ report: (SalvageDocument.Reference, Finding) -> Void
  ) throws {
    guard let key = shape.fields.first(where: { [.primaryKey, .source].contains($0.role) })
    else { return }
    let entity = shape.fields.first { $0.role == .entityNumber }?.storedName
    try ReferenceScan(database).run(
      table: shape.storedName, primaryKey: key.storedName, entity: entity,
      columns: columns.map(\.stored)
    ) { found in
      let column = columns[found.column]
      let owner = found.entityNumber.flatMap { entities.names[$0] } ?? shape.entityName ?? ""
      let lost = ManagedObjectID(entityName: column.destination, primaryKey: found.destination)
      let reference = SalvageDocument.Reference(
        entityName: owner, key: found.primaryKey, relationship: column.relationship,
        destination: found.destination)
      report(
        reference,
        Finding(
          shape.kind == .relationship ? .danglingPair : .danglingRelationship, entityName: owner,
          objectID: found.primaryKey.map { ManagedObjectID(entityName: owner, primaryKey: $0) },
          propertyName: column.relationship, detail: "\(lost) was lost"))
    }
  }

  private func columns(of shape: TableLayout) -> [Column] {
    shape.fields.compactMap { field in
      guard let (entity, relationship) = destination(of: field, in: shape),
        let losses = losses(ofEntity: entity)
      else { return nil }
      return Column(
        stored: ReferenceScan.Column(name: field.storedName, destination: losses),
        relationship: relationship, destination: entity)
    }
  }

  /// The destination entity of a column, and the relationship; nil for other columns.
  private func destination(of field: FieldLayout, in shape: TableLayout) -> (Name, Name)? {
    switch field.role {
    case .toOne(let name, let entity):
      guard let found = model.relationship(name, of: entity) else { return nil }
      return (found.relationship.destinationName, name)
    case .owner(let entity, let relationship):
      return (entity, "\(entity).\(relationship)")
    case .source:
      guard let entity = shape.entityName, let name = shape.relationshipName else { return nil }
      return (entity, name)
    case .destination:
      guard let entity = shape.entityName, let name = shape.relationshipName,
        let found = model.relationship(name, of: entity)
      else { return nil }
      return (found.relationship.destinationName, name)
    default: return nil
    }
  }

  private func losses(ofEntity entity: Name) -> TableLosses? {
    guard let root = model.root(of: entity)?.name,
      let shape = shapes.first(where: { $0.kind == .entity && $0.entityName == root }
      ),
      let losses = salvage.losses(of: shape), !losses.rows.isEmpty
    else { return nil }
    return losses
  }
}
