internal import CoreDataArchive
internal import CoreDataModel

/// One query from the first row to the last object.
struct BrowserRun {
  /// How many objects are followed and shown at once.
  private static let batchSize = 200

  private let source: any ObjectSource
  private let query: ObjectQuery
  private let condition: ObjectCondition?
  private let follower: RelationshipFollower
  private let root: String
  /// The names of the entities whose objects are wanted.
  private let wanted: Set<String>

  init(_ source: any ObjectSource, _ query: ObjectQuery) throws {
    self.source = source
    self.query = query
    let model = source.model
    guard let root = model.root(of: query.entityName)?.name else {
      throw QueryError(
        .noEntity, place: source.path, detail: query.entityName,
        hint: "There are: \(model.entities.map(\.name).joined(separator: ", "))")
    }
    self.root = root
    wanted = Set(model.tree(of: query.entityName).map(\.name))
    condition = try query.condition.map { text throws(QueryError) in
      try ObjectCondition(text, of: query.entityName, in: model, place: source.path)
    }
    follower = try RelationshipFollower(source, query)
  }

  /// Finds the objects.
  ///
  /// - Parameter found: is given each object, in ascending order of primary keys.
  /// - Returns: how many there were.
  /// - Throws: what reading and the receiver throw; ``QueryError`` with `no-such-object`.
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
    let shape = source.shapes.first { $0.kind == .entity && $0.entityName == root }
    if let shape, query.limit != 0 {
      let keys = query.primaryKey.map { $0...$0 }
      var lines = ObjectLines(try source.reader(of: shape, keys: keys), path: source.path)
      while let line = try lines.next() {
        guard let object = object(line, LineValues(blobs: lines.blobs)) else { continue }
        batch.append(object)
        let isLast = query.primaryKey != nil || count + batch.count == query.limit
        if isLast || batch.count == Self.batchSize { try show() }
        if isLast { break }
      }
    }
    try show()
    if let key = query.primaryKey, count == 0, condition == nil {
      throw QueryError(.noObject, place: source.path, detail: "\(query.entityName)/p\(key)")
    }
    return count
  }

  /// The object of a line; nil where it is not wanted.
  private func object(_ value: JSONValue, _ values: LineValues) -> ShownObject? {
    guard let line = ObjectLine(value, rootEntity: root), wanted.contains(line.entityName) else {
      return nil
    }
    if let key = query.primaryKey, key != line.primaryKey { return nil }
    if let condition, !condition.holds(for: line, values) { return nil }
    return ShownObject(line, values, source.model)
  }
}

extension ShownObject {
  /// The object of a line, with its to-one relationships.
  init(_ line: ObjectLine, _ values: LineValues, _ model: ManagedObjectModel) {
    id = line.id
    version = line.version
    attributes = values.attributes(of: line, model)
    relationships = model.allRelationships(of: line.entityName)
      .filter { !$0.isToMany && !$0.isTransient }
      .map { relationship in
        ShownRelationship(
          name: relationship.name, isToMany: false,
          destinations: [line.destination(of: relationship)].compactMap(\.self), objects: nil)
      }
      .sorted { codeUnitsAscend($0.name, $1.name) }
  }
}
