internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// One query from the first row to the last object.
struct BrowserRun<Source: RowSource> {
  /// How many objects are followed and shown at once.
  private let batchSize = 200

  private let source: Source
  private let query: ObjectQuery
  private let condition: ObjectCondition?
  private let scope: ConditionScope
  private let follower: RelationshipFollower<Source>
  private let root: String
  /// The names of the entities whose objects are wanted.
  private let wanted: Set<ExactString>

  init(_ source: Source, _ query: ObjectQuery) throws {
    self.source = source
    self.query = query
    let model = source.model
    guard let root = model.root(of: query.entityName)?.name else {
      throw CofferError(
        .noSuchEntity, path: source.path, detail: query.entityName,
        advice: .chooseEntity(model.entities.map(\.name)))
    }
    self.root = root
    wanted = model.tree(of: query.entityName).map(\.name).exactStrings
    condition = try query.condition.map { text throws(CofferError) in
      try ObjectCondition(text, of: query.entityName, in: model, path: source.path)
    }
    scope = ConditionScope(source)
    follower = try RelationshipFollower(source, query)
  }

  /// Whether the objects can be found: those of an archive are not read one by one, as some conditions
  /// need.
  var isPossible: Bool { source.kind == .store || condition?.needsOtherObjects != true }

  /// Finds the objects.
  ///
  /// - Parameter found: is given each object, in ascending order of primary keys.
  /// - Returns: how many there were.
  /// - Throws: what reading and the receiver throw; ``CofferError`` with `no-such-object`.
  func complete(_ found: (ShownObject) throws -> Void) throws -> Int {
    var count = 0
    var batch: [ShownObject] = []
    func show() throws {
      try follower.follow(&batch)
      try source.requireUnchanged()
      for object in batch { try found(object) }
      count += batch.count
      batch.removeAll()
    }
    if let shape = source.table(of: root), query.limit != 0 {
      let columns = ObjectColumns(shape, source.entities)
      try source.visitRows(of: shape, keys: query.primaryKey.map { $0...$0 }) { rows in
        guard let object = columns.object(rows), try isWanted(object) else { return true }
        batch.append(ShownObject(object, source.model))
        let isLast = query.primaryKey != nil || count + batch.count == query.limit
        if isLast || batch.count == batchSize { try show() }
        return !isLast
      }
    }
    try show()
    if let key = query.primaryKey, count == 0, condition == nil {
      throw CofferError(.noSuchObject, path: source.path, detail: "\(query.entityName)/p\(key)")
    }
    return count
  }

  private func isWanted(_ object: ObjectRow) throws -> Bool {
    try wanted.contains(object.id.entityName)
      && (query.primaryKey.map { $0 == object.id.primaryKey } ?? true)
      && (condition?.holds(for: object, in: scope) ?? true)
  }
}

extension ShownObject {
  /// The object of a row, with its to-one relationships.
  init(_ object: ObjectRow, _ model: ManagedObjectModel) {
    id = object.id
    version = object.version
    attributes = model.allAttributes(of: id.entityName).filter { !$0.isTransient }
      .map { ShownAttribute(name: $0.name, value: object.value(of: $0)) }
      .sorted { codeUnitsAscend($0.name, $1.name) }
    relationships = model.allRelationships(of: id.entityName)
      .filter { !$0.isToMany && !$0.isTransient }
      .map { relationship in
        ShownRelationship(
          name: relationship.name, isToMany: false,
          destinations: [object.destination(of: relationship)].compactMap(\.self), objects: nil)
      }
      .sorted { codeUnitsAscend($0.name, $1.name) }
  }
}
