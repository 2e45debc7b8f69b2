internal import CofferCore
internal import CoreDataModel

/// Finds the destinations of followed relationships, with one pass over a table for each
/// relationship and batch of objects.
struct RelationshipFollower<Source: RowSource> {
  /// A destination, and its position in an ordered relationship.
  private struct Destination {
    var id: ManagedObjectID
    var order: Int64
  }

  private let source: Source
  private let model: ManagedObjectModel
  private let limit: Int
  private var followed: [FollowedRelationship] = []

  /// - Throws: ``CofferError`` with `no-such-property` for a name that no entity has.
  init(_ source: Source, _ query: ObjectQuery) throws(CofferError) {
    self.source = source
    model = source.model
    limit = query.followLimit
    for name in query.followedRelationships {
      var found: [FollowedRelationship] = []
      if let own = model.relationship(name, of: query.entityName) {
        found.append(FollowedRelationship(own.declaredBy, own.relationship))
      } else {
        for entity in model.tree(of: query.entityName) {
          for relationship in entity.relationships where relationship.name == name {
            found.append(FollowedRelationship(entity.name, relationship))
          }
        }
      }
      found.removeAll(where: \.relationship.isTransient)
      guard !found.isEmpty else {
        let names = model.allRelationships(of: query.entityName).map(\.name)
        let guess = SimilarName.nearest(to: name.text, among: names).map {
          "Did you mean '\($0)'? "
        }
        throw CofferError(
          .noSuchProperty, path: source.path,
          detail: "\(query.entityName) has no relationship \(name)",
          advice: names.isEmpty
            ? nil
            : "\(guess ?? "")Available: \(names.sorted().joined(separator: ", "))"
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
          objects[index].relationships.removeAll { $0.name == name }
          objects[index].relationships.append(
            ShownRelationship(
              name: name, isToMany: true, destinations: sorted.map(\.id), count: sorted.count,
              objects: nil))
        }
      }
      try fetch(name, followed.relationship.destinationName, owners.values.sorted(), &objects)
    }
    for index in objects.indices {
      objects[index].relationships.sort { $0.name < $1.name }
    }
  }

  // MARK: Destinations of a to-many relationship

  private func destinations(
    of followed: FollowedRelationship, _ owners: [Int64: Int]
  ) throws -> [Int64: [Destination]] {
    var found: [Int64: [Destination]] = [:]
    let isReflexive = followed.isReflexive
    func add(_ owner: Int64, _ id: ManagedObjectID, _ order: Int64) {
      guard owners[owner] != nil else { return }
      if isReflexive, found[owner]?.contains(where: { $0.id == id }) == true { return }
      found[owner, default: []].append(Destination(id: id, order: order))
    }
    let pass = RelationshipPass(source)
    if owners.count <= DestinationCounts<Source>.maxLookups,
      try owners.keys.allSatisfy({ try pass.forEach(followed, of: $0, add) })
    {
      return found
    }
    found = [:]
    try pass.forEach(followed, add)
    return found
  }

  // MARK: Objects

  /// Reads the first destinations of a relationship as objects.
  private func fetch(
    _ name: Name, _ entity: Name, _ owners: [Int], _ objects: inout [ShownObject]
  ) throws {
    var keys: Set<Int64> = []
    for index in owners {
      for relationship in objects[index].relationships
      where relationship.name == name {
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

  private func objects(_ keys: Set<Int64>, of entity: Name) throws -> [Int64: ShownObject] {
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
