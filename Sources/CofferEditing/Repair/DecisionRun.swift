internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The decisions of a repair: finds their objects in the store, and changes them in each copy.
final class DecisionRun {
  /// A decision and its objects.
  private struct Item {
    let decision: RepairDecision
    /// The root entity of each object, and its key.
    var objects: [ManagedObjectID] = []
    /// The keys of the objects with findings; all are in one table.
    var keys: Set<Int64> = []
    /// The entities whose objects may be changed.
    let entityNames: Set<Name>
  }

  /// A value that was decided; without an attribute, the whole object, which is deleted.
  private struct Subject: Hashable {
    let object: StoredObject
    let attribute: Name?
  }

  /// The effects, in the order of the decisions.
  private(set) var changes: [DecidedChange] = []
  private var items: [Item]
  private let condition: String?
  private let path: String
  private var decided: Set<Subject> = []

  /// The codes of findings about a missing or invalid value.
  private static let codes = FixerList.invalidValues.union([
    .missingValue, .missingValueWithDefault,
  ])

  /// Begins the decisions of a repair.
  ///
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-property`, `refused`, `invalid-condition`,
  ///   `unknown-store-model` for a store whose model is inferred; errors from reading.
  init(_ options: RepairOptions, of store: PersistentStore, path: String) throws {
    self.path = path
    condition = options.condition
    items = []
    guard !options.decisions.isEmpty else { return }
    try store.use { database in
      let source = StoreRowSource(store, database, blobLimit: LineLimits.ownEntry)
      for decision in options.decisions {
        let selection = ObjectSelection(
          entityNames: [decision.entityName], condition: options.condition)
        let selected = try SelectedObjects(selection, of: store.model, source.entities, path: path)
        if case .set(let entity, let attribute, let value) = decision {
          try check(value, attribute, of: entity, in: store.model)
        }
        let names = store.model.tree(of: decision.entityName).map(\.name)
        var item = Item(decision: decision, entityNames: Set(names))
        if options.condition != nil {
          _ = try selected.forEach(in: source) { key, root in
            item.objects.append(ManagedObjectID(entityName: root, primaryKey: key))
          }
        }
        items.append(item)
      }
    }
  }

  /// Checks a value before anything is read.
  private func check(
    _ value: String, _ name: Name, of entity: Name, in model: ManagedObjectModel
  ) throws(CofferError) {
    let place = "\(entity).\(name)"
    let names = Name.path(name.text, omittingEmptyNames: false)
    let attribute = model.lineage(of: entity).lazy.compactMap { $0.attribute(at: names) }.first
    guard let attribute, !attribute.isTransient else {
      throw CofferError(
        .noSuchProperty, path: path, item: place,
        detail: "the entity has no such attribute that is stored")
    }
    _ = try DecidedValue(value, for: attribute, place: place, path: path)
  }

  /// Records the object of a finding, if a decision without a condition concerns such findings.
  func add(_ finding: Finding) {
    guard condition == nil, Self.codes.contains(finding.code), let id = finding.objectID else {
      return
    }
    for (index, item) in items.enumerated()
    where item.entityNames.contains(id.entityName) {
      guard case .set(_, let attribute, _) = item.decision,
        finding.propertyName == attribute, !item.keys.contains(id.primaryKey)
      else { continue }
      items[index].objects.append(id)
      items[index].keys.insert(id.primaryKey)
    }
  }

  /// Whether there is anything to change.
  var isNeeded: Bool { items.contains { !$0.objects.isEmpty } }

  /// Changes the objects of a copy.
  ///
  /// - Throws: ``CofferError``: `refused` if a delete rule denies a deletion, or if one of the app's own
  ///   triggers must run; errors from reading and writing.
  func perform(_ context: RepairContext) throws {
    decided = []
    changes = []
    for item in items {
      switch item.decision {
      case .set(let entity, let attribute, let value):
        changes.append(
          try set(item, attribute, to: value, place: "\(entity).\(attribute)", context))
      case .delete: changes.append(try delete(item, context))
      }
    }
  }

  /// Whether a decision was about the subject of a finding, so that no rule changes it.
  func settles(_ finding: Finding, _ context: RepairContext) -> Bool {
    guard !decided.isEmpty, let object = context.object(finding) else { return false }
    return decided.contains(Subject(object: object, attribute: nil))
      || finding.propertyName.map {
        decided.contains(Subject(object: object, attribute: $0))
      } ?? false
  }

  /// The ID of an object, with the entity that it belongs to.
  private func id(
    _ object: StoredObject, _ context: RepairContext
  ) throws(CofferError) -> ManagedObjectID? {
    try context.entityName(of: object).map {
      ManagedObjectID(entityName: $0, primaryKey: object.key)
    }
  }

  private func set(
    _ item: Item, _ attribute: Name, to value: String, place: String, _ context: RepairContext
  ) throws -> DecidedChange {
    var change = DecidedChange(item.decision)
    for id in item.objects {
      try Task<Never, Never>.checkCancellation()
      guard let object = context.object(id), let own = try self.id(object, context),
        let (column, description) = try context.attribute(attribute.text, of: object)
      else { continue }
      decided.insert(Subject(object: object, attribute: attribute))
      let stored = try DecidedValue(value, for: description, place: place, path: path).stored
      guard try context.editor.value(column, of: object) != stored else { continue }
      do throws(CofferError) {
        try context.editor.set(stored, column: column, of: object)
      } catch {
        guard error.isConstraintViolation else { throw error }
        let rival = try holder(of: stored, column: column, besides: object, context)
        let reason =
          rival.map { "\($0) has it, and it must be unique" } ?? error.objectionToContent ?? ""
        throw CofferError(
          .refused, path: path, item: place, detail: "\(own) cannot get the value: \(reason)")
      }
      change.add(own)
    }
    return change
  }

  /// Another object with a value in a column that is unique by itself; nil if there is none.
  private func holder(
    of value: SQLiteValue, column: Int, besides object: StoredObject, _ context: RepairContext
  ) throws(CofferError) -> ManagedObjectID? {
    let table = context.editor.schema.tables[object.table]
    guard case .attribute(let path, _, _, _) = table.columns[column].role,
      context.store.model.entities.contains(where: { $0.uniquenessConstraints.contains(path) })
    else { return nil }
    let name = quotedIdentifier(table.columns[column].storedName)
    let key = try context.editor.statements.row(
      "SELECT \(StoredName.primaryKey) FROM \(quotedIdentifier(table.tableName)) "
        + "WHERE \(name) = ? AND \(StoredName.primaryKey) <> ? LIMIT 1", value,
      .integer(object.key))?[0].integer
    guard let key else { return nil }
    return try id(StoredObject(table: object.table, key: key), context)
  }

  /// Deletes objects that no relationship with the rule Deny protects, until none is left: deleting one object
  /// can free another.
  private func delete(_ item: Item, _ context: RepairContext) throws -> DecidedChange {
    var change = DecidedChange(item.decision)
    var waiting = item.objects.compactMap { context.object($0) }
    let wanted = Set(waiting)
    while !waiting.isEmpty {
      var denied: [StoredObject] = []
      var denial: (object: StoredObject, relationshipName: Name)?
      for object in waiting {
        try Task<Never, Never>.checkCancellation()
        let plan = try context.editor.plannedDeletion(of: object)
        if let found = plan.denial {
          denied.append(object)
          denial = denial ?? found
          continue
        }
        for fallen in plan.objects {
          guard let own = try id(fallen, context) else { continue }
          change.add(own, isCascaded: !wanted.contains(fallen))
          decided.insert(Subject(object: fallen, attribute: nil))
        }
        try context.editor.delete(plan.objects)
      }
      if denied.count == waiting.count, let denial {
        let name = try id(denial.object, context)?.description
        throw CofferError(
          .refused, path: path, item: name,
          detail: "the relationship \(denial.relationshipName) denies its deletion",
          advice: "Delete the objects of the relationship first.")
      }
      waiting = denied
    }
    return change
  }
}
