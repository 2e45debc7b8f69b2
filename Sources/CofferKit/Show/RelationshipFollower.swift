internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Finds the destinations of the relationships that are followed: one pass of a table for each
/// relationship and batch of objects.
struct RelationshipFollower<Source: RowSource> {
  /// A destination, and where it stands in an ordered relationship.
  private struct Destination {
    var id: ManagedObjectID
    var order: Int64
  }

  /// A relationship of some entities of the tree that is asked for.
  private struct Followed {
    var declaredBy: String
    var relationship: RelationshipDescription
  }

  private let source: Source
  private let model: ManagedObjectModel
  private let limit: Int
  private var followed: [Followed] = []

  /// - Throws: ``CofferError`` with `no-such-property` for a name that no entity has.
  init(_ source: Source, _ query: ObjectQuery) throws(CofferError) {
    self.source = source
    model = source.model
    limit = query.followLimit
    for name in query.followedRelationships {
      var found: [Followed] = []
      if let own = model.relationship(name, of: query.entityName) {
        found.append(Followed(declaredBy: own.declaredBy, relationship: own.relationship))
      } else {
        for entity in model.tree(of: query.entityName) {
          for relationship in entity.relationships where relationship.name.hasSameBytes(as: name) {
            found.append(Followed(declaredBy: entity.name, relationship: relationship))
          }
        }
      }
      found.removeAll(where: \.relationship.isTransient)
      guard !found.isEmpty else {
        let names = model.allRelationships(of: query.entityName).map(\.name)
        let guess = SimilarName.nearest(to: name, among: names).map { "Did you mean '\($0)'? " }
        throw CofferError(
          .noSuchProperty, path: source.path,
          detail: "\(query.entityName) has no relationship \(name)",
          advice: names.isEmpty
            ? nil
            : "\(guess ?? "")Available: \(names.sorted(by: codeUnitsAscend).joined(separator: ", "))"
        )
      }
      followed += found
    }
  }

  /// Fills in the destinations of some objects.
  func follow(_ objects: inout [ShownObject]) throws {
    for followed in followed where !objects.isEmpty {
      let (name, isToMany) = (followed.relationship.name, followed.relationship.isToMany)
      var owners: [Int64: Int] = [:]
      for (index, object) in objects.enumerated()
      where model.isEntity(object.id.entityName, kindOf: followed.declaredBy) {
        owners[object.id.primaryKey] = index
      }
      guard !owners.isEmpty else { continue }
      if isToMany {
        let found = try destinations(of: followed, owners)
        for (key, index) in owners {
          let sorted = (found[key] ?? []).sorted {
            $0.order != $1.order
              ? $0.order < $1.order : $0.id.primaryKey < $1.id.primaryKey
          }
          objects[index].relationships.append(
            ShownRelationship(
              name: name, isToMany: true, destinations: sorted.map(\.id), objects: nil))
        }
      }
      try fetch(name, followed.relationship.destinationName, owners.values.sorted(), &objects)
    }
    for index in objects.indices {
      objects[index].relationships.sort { codeUnitsAscend($0.name, $1.name) }
    }
  }

  // MARK: Destinations of a to-many relationship

  private func destinations(
    of followed: Followed, _ owners: [Int64: Int]
  ) throws -> [Int64: [Destination]] {
    let relationship = followed.relationship
    guard relationship.inverseName != nil, let inverse = model.inverse(of: relationship) else {
      let key = "\(followed.declaredBy).\(relationship.name)"
      return try collect(relationship.destinationName) { object in
        (object.owner(key), object.order(key))
      } where: {
        owners[$0] != nil
      }
    }
    if inverse.relationship.isToMany { return try pairs(followed, inverse.declaredBy, owners) }
    let back = inverse.relationship
    let entities = model.tree(of: inverse.declaredBy).map(\.name).exactStrings
    return try collect(relationship.destinationName) { object in
      guard entities.contains(object.id.entityName) else { return (nil, 0) }
      return (object.destination(of: back)?.primaryKey, object.order(back.name))
    } where: {
      owners[$0] != nil
    }
  }

  /// Collects the objects of a table by the key that they lead back to.
  private func collect(
    _ entity: String, _ owner: (ObjectRow) -> (Int64?, Int64), where isWanted: (Int64) -> Bool
  ) throws -> [Int64: [Destination]] {
    var found: [Int64: [Destination]] = [:]
    guard let shape = source.table(of: entity) else { return [:] }
    let columns = ObjectColumns(shape, source.entities)
    try source.visitRows(of: shape) { rows in
      guard let object = columns.object(rows) else { return true }
      let (key, order) = owner(object)
      if let key, isWanted(key) {
        found[key, default: []].append(Destination(id: object.id, order: order))
      }
      return true
    }
    return found
  }

  private func pairs(
    _ followed: Followed, _ inverseEntity: String, _ owners: [Int64: Int]
  ) throws -> [Int64: [Destination]] {
    let relationship = followed.relationship
    func shape(_ entity: String, _ name: String?) -> TableLayout? {
      source.shapes.first {
        $0.kind == .relationship && $0.entityName.hasSameBytes(as: entity)
          && $0.relationshipName.hasSameBytes(as: name)
      }
    }
    let own = shape(followed.declaredBy, relationship.name)
    guard let shape = own ?? shape(inverseEntity, relationship.inverseName) else { return [:] }
    let isOwn = own != nil
    let isReflexive =
      relationship.inverseName.hasSameBytes(as: relationship.name)
      && relationship.destinationName.hasSameBytes(as: followed.declaredBy)
    var found: [Int64: [Destination]] = [:]
    func column(_ role: FieldRole) -> Int? { shape.fields.firstIndex { $0.role == role } }
    guard let from = column(.source), let to = column(.destination) else { return [:] }
    let (order, inverseOrder) = (column(.destinationOrder), column(.sourceOrder))
    func add(_ owner: Int64?, _ key: Int64?, _ order: Int64?) {
      guard let owner, owners[owner] != nil, let key else { return }
      let id = ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
      if isReflexive, found[owner]?.contains(where: { $0.id == id }) == true { return }
      found[owner, default: []].append(Destination(id: id, order: order ?? 0))
    }
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      let (from, to) = (row.integer(from), row.integer(to))
      if isOwn { add(from, to, order.flatMap { row.integer($0) }) }
      if !isOwn || isReflexive { add(to, from, inverseOrder.flatMap { row.integer($0) }) }
      return true
    }
    return found
  }

  // MARK: Objects

  /// Reads the first destinations of a relationship as objects.
  private func fetch(
    _ name: String, _ entity: String, _ owners: [Int], _ objects: inout [ShownObject]
  ) throws {
    var keys: Set<Int64> = []
    for index in owners {
      for relationship in objects[index].relationships
      where relationship.name.hasSameBytes(as: name) {
        keys.formUnion(relationship.destinations.prefix(limit).map(\.primaryKey))
      }
    }
    let found = try self.objects(keys, of: entity)
    for index in owners {
      for place in objects[index].relationships.indices
      where objects[index].relationships[place].name.hasSameBytes(as: name) {
        var relationship = objects[index].relationships[place]
        relationship.destinations = relationship.destinations.map { found[$0.primaryKey]?.id ?? $0 }
        relationship.objects = relationship.destinations.prefix(limit).compactMap {
          found[$0.primaryKey]
        }
        objects[index].relationships[place] = relationship
      }
    }
  }

  private func objects(_ keys: Set<Int64>, of entity: String) throws -> [Int64: ShownObject] {
    guard let first = keys.min(), let last = keys.max(), let shape = source.table(of: entity)
    else { return [:] }
    var found: [Int64: ShownObject] = [:]
    let columns = ObjectColumns(shape, source.entities)
    try source.visitRows(of: shape, keys: first...last) { rows in
      if let object = columns.object(rows), keys.contains(object.id.primaryKey) {
        found[object.id.primaryKey] = ShownObject(object, model)
      }
      return found.count < keys.count
    }
    return found
  }
}
