internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Checks every stored reference of a store and turns defects into findings.
///
/// What can be checked follows from the model and from what the columns mean; with an inferred model
/// that is little, since nothing tells references from numbers there.
struct ReferenceFindings {
  let model: ManagedObjectModel
  let layout: LayoutDocument

  /// Checks the references of a store by its documents.
  init(_ documents: ArchiveDocuments) {
    model = documents.model
    layout = documents.layout
  }

  /// Checks all references.
  ///
  /// - Parameters:
  ///   - database: the store.
  ///   - isSound: whether a reference, or the pairs of a table, are known to have no defect, so that
  ///     they need not be looked at.
  ///   - step: called before each table of objects or pairs.
  ///   - report: called for each defect, table by table, in ascending order of primary keys.
  /// - Throws: `CofferError` when the store cannot be read; what the first closure throws.
  func check(
    _ database: SQLiteDatabase, isSound: (TableLayout, FieldLayout?) -> Bool = { _, _ in false },
    step: () throws -> Void, report: (Finding) -> Void
  ) throws {
    for shape in layout.tables {
      switch shape.kind {
      case .entity:
        try step()
        for field in shape.fields where !isSound(shape, field) {
          try checkReference(field, of: shape, database, report)
        }
      case .relationship:
        try step()
        if !isSound(shape, nil) { try checkPairs(shape, database, report) }
      default: break
      }
    }
  }

  private func checkReference(
    _ field: FieldLayout, of shape: TableLayout, _ database: SQLiteDatabase,
    _ report: (Finding) -> Void
  ) throws {
    guard let (reference, property) = reference(field, of: shape) else { return }
    let names = layout.entities.names
    try ReferenceAudit(database).defects(of: reference) { defect in
      let entity = names[defect.entity] ?? shape.entityName ?? ""
      report(
        Finding(
          Self.code(of: defect.kind),
          objectID: ManagedObjectID(entityName: entity, primaryKey: defect.primaryKey),
          propertyName: property))
    }
  }

  private static func code(of kind: ReferenceDefect.Kind) -> FindingCode {
    switch kind {
    case .dangling: .danglingRelationship
    case .wrongEntity: .wrongDestination
    case .wrongEntityColumn: .wrongDestinationEntity
    case .inverseMissing: .inverseMissing
    case .inverseMismatch: .inverseMismatch
    }
  }

  /// The reference that a column holds, with the name of its relationship; nil for other columns.
  func reference(
    _ field: FieldLayout, of shape: TableLayout
  ) -> (StoredReference, String)? {
    guard let source = table(shape) else { return nil }
    switch field.role {
    case .toOne(let name, let entity):
      guard let found = model.relationship(name, of: entity),
        let target = objects(of: found.relationship.destinationName)
      else { return nil }
      let companion = shape.fields.first { $0.role == .toOneEntity(name: name, entity: entity) }
      let reference = StoredReference(
        source: source, column: field.storedName, entityColumn: companion?.storedName,
        destination: target.table, allowedEntities: numbers(found.relationship.destinationName),
        sourceEntities: numbers(entity),
        inverseColumn: inverseColumn(of: found.relationship, in: target.shape))
      return (reference, name)
    case .owner(let entity, let relationship):
      guard let root = shape.entityName, let target = objects(of: entity) else { return nil }
      let reference = StoredReference(
        source: source, column: field.storedName, entityColumn: nil, destination: target.table,
        allowedEntities: numbers(entity), sourceEntities: numbers(root), inverseColumn: nil)
      return (reference, "\(entity).\(relationship)")
    default: return nil
    }
  }

  private func inverseColumn(
    of relationship: RelationshipDescription, in shape: TableLayout
  ) -> String? {
    guard let inverse = model.inverse(of: relationship), !inverse.relationship.isToMany else {
      return nil
    }
    let role = FieldRole.toOne(name: inverse.relationship.name, entity: inverse.declaredBy)
    return shape.fields.first { $0.role == role }?.storedName
  }

  private func checkPairs(
    _ shape: TableLayout, _ database: SQLiteDatabase, _ report: (Finding) -> Void
  ) throws {
    guard let (pairs, name, entity, isReflexive) = pairs(shape) else { return }
    try PairAudit(database).defects(of: pairs) { key, start, end in
      func add(_ code: FindingCode, _ detail: String) {
        report(
          Finding(
            code, objectID: ManagedObjectID(entityName: entity, primaryKey: key),
            propertyName: name, detail: detail))
      }
      if start == .missing || end == .missing {
        let missing =
          start != .missing
          ? "the destination" : end != .missing ? "the source" : "both source and destination"
        add(isReflexive ? .danglingReflexivePair : .danglingPair, "\(missing) is missing")
      }
      if start == .wrongEntity { add(.wrongDestination, "the pair's source is of another entity") }
      if end == .wrongEntity { add(.wrongDestination, "") }
    }
  }

  /// The pairs that a table holds, with the name of their relationship, its entity, and whether it is
  /// its own inverse; nil for other tables.
  func pairs(_ shape: TableLayout) -> (PairAudit.Pairs, String, String, Bool)? {
    guard let entity = shape.entityName, let name = shape.relationshipName,
      let found = model.relationship(name, of: entity), let source = objects(of: entity),
      let target = objects(of: found.relationship.destinationName),
      let sourceColumn = shape.fields.first(where: { $0.role == .source }),
      let targetColumn = shape.fields.first(where: { $0.role == .destination })
    else { return nil }
    let isReflexive =
      found.relationship.inverseName == name && found.relationship.destinationName == entity
    let pairs = PairAudit.Pairs(
      table: shape.storedName, source: (sourceColumn.storedName, source.table),
      destination: (targetColumn.storedName, target.table), sourceEntities: numbers(entity),
      destinationEntities: numbers(found.relationship.destinationName))
    return (pairs, name, entity, isReflexive)
  }

  /// The table of an entity's objects.
  private func objects(of entity: String) -> (shape: TableLayout, table: StoredReference.Table)? {
    guard let root = model.root(of: entity)?.name,
      let shape = layout.tables.first(where: { $0.kind == .entity && $0.entityName == root }),
      let table = table(shape)
    else { return nil }
    return (shape, table)
  }

  private func table(_ shape: TableLayout) -> StoredReference.Table? {
    guard let key = shape.fields.first(where: { $0.role == .primaryKey }),
      let entity = shape.fields.first(where: { $0.role == .entityNumber })
    else { return nil }
    return StoredReference.Table(
      name: shape.storedName, primaryKey: key.storedName, entity: entity.storedName)
  }

  /// The numbers of an entity and all below it, in ascending order.
  func numbers(_ entity: String) -> [Int64] {
    model.tree(of: entity).compactMap { layout.entities.numbers[$0.name] }.sorted()
  }
}
