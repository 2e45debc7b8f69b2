internal import CoreDataLayout
internal import CoreDataModel

/// A relationship with the entity that declares it.
struct FollowedRelationship {
  let declaredBy: String
  let relationship: RelationshipDescription

  init(_ declaredBy: String, _ relationship: RelationshipDescription) {
    self.declaredBy = declaredBy
    self.relationship = relationship
  }

  /// What tells it from all others.
  var name: [ExactString] { [ExactString(declaredBy), ExactString(relationship.name)] }

  /// Whether it is its own inverse.
  var isReflexive: Bool {
    relationship.inverseName.hasSameBytes(as: relationship.name)
      && relationship.destinationName.hasSameBytes(as: declaredBy)
  }
}

/// Reads all that a to-many relationship leads to in one pass over a table.
struct RelationshipPass<Source: RowSource> {
  /// Is given the key of an owner, and what it leads to at which place of its order.
  typealias Body = (_ owner: Int64, _ destination: ManagedObjectID, _ order: Int64) -> Void

  private let source: Source

  init(_ source: Source) { self.source = source }

  /// Goes through all destinations of all owners, in the order of the table.
  ///
  /// One that is its own inverse gives each pair from both sides, so the same may come twice.
  ///
  /// - Throws: `CofferError` where the table cannot be read.
  func forEach(_ followed: FollowedRelationship, _ body: Body) throws {
    let (model, relationship) = (source.model, followed.relationship)
    guard relationship.inverseName != nil, let inverse = model.inverse(of: relationship) else {
      let key = "\(followed.declaredBy).\(relationship.name)"
      return try objects(of: relationship.destinationName) { object in
        if let owner = object.owner(key) { body(owner, object.id, object.order(key)) }
      }
    }
    if inverse.relationship.isToMany { return try pairs(followed, inverse.declaredBy, body) }
    let back = inverse.relationship
    let entities = model.tree(of: inverse.declaredBy).map(\.name).exactStrings
    try objects(of: relationship.destinationName) { object in
      guard entities.contains(object.id.entityName),
        let owner = object.destination(of: back)?.primaryKey
      else { return }
      body(owner, object.id, object.order(back.name))
    }
  }

  private func objects(of entity: String, _ body: (ObjectRow) -> Void) throws {
    guard let shape = source.table(of: entity) else { return }
    let columns = ObjectColumns(shape, source.entities)
    try source.visitRows(of: shape) { rows in
      if let object = columns.object(rows) { body(object) }
      return true
    }
  }

  private func pairs(
    _ followed: FollowedRelationship, _ inverseEntity: String, _ body: Body
  ) throws {
    let relationship = followed.relationship
    func shape(_ entity: String, _ name: String?) -> TableLayout? {
      source.shapes.first {
        $0.kind == .relationship && $0.entityName.hasSameBytes(as: entity)
          && $0.relationshipName.hasSameBytes(as: name)
      }
    }
    let own = shape(followed.declaredBy, relationship.name)
    guard let shape = own ?? shape(inverseEntity, relationship.inverseName) else { return }
    let isOwn = own != nil
    func column(_ role: FieldRole) -> Int? { shape.fields.firstIndex { $0.role == role } }
    guard let from = column(.source), let to = column(.destination) else { return }
    let (order, inverseOrder) = (column(.destinationOrder), column(.sourceOrder))
    func add(_ owner: Int64?, _ key: Int64?, _ order: Int64?) {
      guard let owner, let key else { return }
      let id = ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
      body(owner, id, order ?? 0)
    }
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      let (from, to) = (row.integer(from), row.integer(to))
      if isOwn { add(from, to, order.flatMap { row.integer($0) }) }
      if !isOwn || followed.isReflexive { add(to, from, inverseOrder.flatMap { row.integer($0) }) }
      return true
    }
  }
}

/// The keys of all that a to-many relationship leads to, by owner: two integers for each.
struct DestinationKeys {
  private let owners: [Int64]
  private let destinations: [Int64]

  /// Reads a relationship.
  ///
  /// - Throws: `CofferError` where its table cannot be read.
  init(_ followed: FollowedRelationship, in source: some RowSource) throws {
    var pairs: [(owner: Int64, key: Int64)] = []
    try RelationshipPass(source).forEach(followed) { owner, destination, _ in
      pairs.append((owner, destination.primaryKey))
    }
    pairs.sort { $0.owner != $1.owner ? $0.owner < $1.owner : $0.key < $1.key }
    var (owners, destinations): ([Int64], [Int64]) = ([], [])
    owners.reserveCapacity(pairs.count)
    destinations.reserveCapacity(pairs.count)
    for (owner, key) in pairs where owners.last != owner || destinations.last != key {
      owners.append(owner)
      destinations.append(key)
    }
    (self.owners, self.destinations) = (owners, destinations)
  }

  /// The keys of what an owner leads to, ascending.
  func keys(of owner: Int64) -> ArraySlice<Int64> {
    let first = index { owners[$0] < owner }
    return destinations[first..<max(first, index { owners[$0] <= owner })]
  }

  /// The first index for which a condition does not hold, which holds for none behind it.
  private func index(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, owners.count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
