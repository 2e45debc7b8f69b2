internal import CoreDataArchive
internal import CoreDataModel

/// Finds the destinations of the relationships that are followed: one pass of a table for each
/// relationship and batch of objects.
struct RelationshipFollower {
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

  private let source: any ObjectSource
  private let model: ManagedObjectModel
  private let limit: Int
  private var followed: [Followed] = []

  /// - Throws: ``QueryError`` with `no-such-property` for a name that no entity has.
  init(_ source: any ObjectSource, _ query: ObjectQuery) throws(QueryError) {
    self.source = source
    model = source.model
    limit = query.followLimit
    for name in query.followedRelationships {
      var found: [Followed] = []
      if let own = model.relationship(name, of: query.entityName) {
        found.append(Followed(declaredBy: own.declaredBy, relationship: own.relationship))
      } else {
        for entity in model.tree(of: query.entityName) {
          for relationship in entity.relationships where relationship.name == name {
            found.append(Followed(declaredBy: entity.name, relationship: relationship))
          }
        }
      }
      found.removeAll(where: \.relationship.isTransient)
      guard !found.isEmpty else {
        let names = model.allRelationships(of: query.entityName).map(\.name)
        throw QueryError(
          .noProperty, place: source.path,
          detail: "\(query.entityName) has no relationship \(name)",
          hint: names.isEmpty
            ? nil : "There are: \(names.sorted(by: codeUnitsAscend).joined(separator: ", "))")
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
      return try collect(relationship.destinationName) { line in
        (line.owner(key), line.order(key))
      } where: {
        owners[$0] != nil
      }
    }
    if inverse.relationship.isToMany { return try pairs(followed, inverse.declaredBy, owners) }
    let back = inverse.relationship
    let entities = Set(model.tree(of: inverse.declaredBy).map(\.name))
    return try collect(relationship.destinationName) { line in
      guard entities.contains(line.entityName) else { return (nil, 0) }
      return (line.destination(of: back)?.primaryKey, line.order(back.name))
    } where: {
      owners[$0] != nil
    }
  }

  /// Collects the objects of a table by the key that they lead back to.
  private func collect(
    _ entity: String, _ owner: (ObjectLine) -> (Int64?, Int64), where isWanted: (Int64) -> Bool
  ) throws -> [Int64: [Destination]] {
    var found: [Int64: [Destination]] = [:]
    guard let (root, shape) = table(of: entity) else { return [:] }
    var lines = ObjectLines(try source.reader(of: shape), path: source.path)
    while let value = try lines.next() {
      guard let line = ObjectLine(value, rootEntity: root) else { continue }
      let (key, order) = owner(line)
      if let key, isWanted(key) {
        found[key, default: []].append(Destination(id: line.id, order: order))
      }
    }
    return found
  }

  private func pairs(
    _ followed: Followed, _ inverseEntity: String, _ owners: [Int64: Int]
  ) throws -> [Int64: [Destination]] {
    let relationship = followed.relationship
    func shape(_ entity: String, _ name: String?) -> TableLayout? {
      source.shapes.first {
        $0.kind == .relationship && $0.entityName == entity && $0.relationshipName == name
      }
    }
    let own = shape(followed.declaredBy, relationship.name)
    guard let shape = own ?? shape(inverseEntity, relationship.inverseName) else { return [:] }
    let isOwn = own != nil
    let isReflexive =
      relationship.inverseName == relationship.name
      && relationship.destinationName == followed.declaredBy
    var found: [Int64: [Destination]] = [:]
    func add(_ owner: JSONValue?, _ destination: JSONValue?, _ order: JSONValue?) {
      guard case .integer(let owner) = owner, owners[owner] != nil,
        case .integer(let key) = destination
      else { return }
      let id = ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
      if isReflexive, found[owner]?.contains(where: { $0.id == id }) == true { return }
      var place: Int64 = 0
      if case .integer(let number) = order { place = number }
      found[owner, default: []].append(Destination(id: id, order: place))
    }
    var lines = ObjectLines(try source.reader(of: shape), path: source.path)
    while let value = try lines.next() {
      let (from, to) = (value["source"], value["destination"])
      if isOwn { add(from, to, value["order"]) }
      if !isOwn || isReflexive { add(to, from, value["inverseOrder"]) }
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
      for relationship in objects[index].relationships where relationship.name == name {
        keys.formUnion(relationship.destinations.prefix(limit).map(\.primaryKey))
      }
    }
    let found = try self.objects(keys, of: entity)
    for index in owners {
      for place in objects[index].relationships.indices
      where objects[index].relationships[place].name == name {
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
    guard let first = keys.min(), let last = keys.max(), let (root, shape) = table(of: entity)
    else { return [:] }
    var found: [Int64: ShownObject] = [:]
    var lines = ObjectLines(try source.reader(of: shape, keys: first...last), path: source.path)
    while found.count < keys.count, let value = try lines.next() {
      guard let line = ObjectLine(value, rootEntity: root), keys.contains(line.primaryKey) else {
        continue
      }
      found[line.primaryKey] = ShownObject(line, LineValues(blobs: lines.blobs), model)
    }
    return found
  }

  private func table(of entity: String) -> (root: String, shape: TableLayout)? {
    guard let root = model.root(of: entity)?.name,
      let shape = source.shapes.first(where: { $0.kind == .entity && $0.entityName == root })
    else { return nil }
    return (root, shape)
  }
}
