internal import CoreDataLayout
package import CoreDataModel

/// A relationship with the entity that declares it.
package struct FollowedRelationship {
  package let declaredBy: Name
  package let relationship: RelationshipDescription

  package init(_ declaredBy: Name, _ relationship: RelationshipDescription) {
    self.declaredBy = declaredBy
    self.relationship = relationship
  }

  /// Its identity.
  package var name: [Name] { [declaredBy, relationship.name] }

  /// Whether it is its own inverse.
  package var isReflexive: Bool {
    relationship.inverseName == relationship.name
      && relationship.destinationName == declaredBy
  }
}

/// Reads all that a to-many relationship leads to in one pass over a table.
package struct RelationshipPass<Source: RowSource> {
  /// Receives the key of an owner, one of its destinations, and the destination's position in the order.
  package typealias Body = (_ owner: Int64, _ destination: ManagedObjectID, _ order: Int64) -> Void

  private let source: Source

  package init(_ source: Source) { self.source = source }

  /// Goes through the destinations of all owners or of one, in the order of the table.
  ///
  /// A relationship that is its own inverse gives each pair from both sides, so a pair may come twice.
  ///
  /// - Parameters:
  ///   - followed: the relationship.
  ///   - owner: the key of the owner; nil for all owners.
  ///   - body: receives each destination.
  /// - Returns: false, for one owner, where all owners would have to be read.
  /// - Throws: `CofferError` where the table cannot be read.
  @discardableResult package func forEach(
    _ followed: FollowedRelationship, of owner: Int64? = nil, _ body: Body
  ) throws -> Bool {
    let (model, relationship) = (source.model, followed.relationship)
    guard relationship.inverseName != nil, let inverse = model.inverse(of: relationship) else {
      let key: Name = "\(followed.declaredBy).\(relationship.name)"
      return try objects(of: relationship.destinationName, owner, { $0.owners[key] }) {
        if let owner = $0.owner(key) { body(owner, $0.id, $0.order(key)) }
      }
    }
    if inverse.relationship.isToMany {
      return try pairs(followed, inverse.declaredBy, owner, body)
    }
    let back = inverse.relationship
    let entities = Set(model.tree(of: inverse.declaredBy).map(\.name))
    return try objects(of: inverse.declaredBy, owner, { $0.toOnes[back.name]?.column }) { object in
      guard entities.contains(object.id.entityName),
        let owner = object.destination(of: back)?.primaryKey
      else { return }
      body(owner, object.id, object.order(back.name))
    }
  }

  /// Goes through the rows of a table, or those with an owner in a column.
  private func visit(
    _ shape: TableLayout, _ owner: Int64?, _ column: Int?, _ body: (any RowCursor) -> Void
  ) throws -> Bool {
    guard let owner else {
      try source.visitRows(of: shape) { rows in
        body(rows)
        return true
      }
      return true
    }
    guard let column, let store = source as? StoreRowSource,
      let rows = try store.rows(of: shape, where: column, is: owner)
    else { return false }
    while try rows.next() { body(rows) }
    return true
  }

  private func objects(
    of entity: Name, _ owner: Int64?, _ column: (ObjectColumns.Places) -> Int?,
    _ body: (ObjectRow) -> Void
  ) throws -> Bool {
    guard let shape = source.table(of: entity) else { return true }
    let columns = ObjectColumns(shape, source.entities)
    return try visit(shape, owner, columns.places(of: entity).flatMap(column)) { rows in
      if let object = columns.object(rows) { body(object) }
    }
  }

  private func pairs(
    _ followed: FollowedRelationship, _ inverseEntity: Name, _ owner: Int64?, _ body: Body
  ) throws -> Bool {
    let relationship = followed.relationship
    func shape(_ entity: Name, _ name: Name?) -> TableLayout? {
      source.shapes.first {
        $0.kind == .relationship && $0.entityName == entity
          && $0.relationshipName == name
      }
    }
    let own = shape(followed.declaredBy, relationship.name)
    guard let shape = own ?? shape(inverseEntity, relationship.inverseName) else { return true }
    let isOwn = own != nil
    func column(_ role: FieldRole) -> Int? { shape.fields.firstIndex { $0.role == role } }
    guard let from = column(.source), let to = column(.destination) else { return true }
    let (order, inverseOrder) = (column(.destinationOrder), column(.sourceOrder))
    func add(_ owner: Int64?, _ key: Int64?, _ order: Int64?) {
      guard let owner, let key else { return }
      let id = ManagedObjectID(entityName: relationship.destinationName, primaryKey: key)
      body(owner, id, order ?? 0)
    }
    func addForward(_ rows: any RowCursor) {
      let row = rows.row
      add(row.integer(from), row.integer(to), order.flatMap { row.integer($0) })
    }
    func addBackward(_ rows: any RowCursor) {
      let row = rows.row
      add(row.integer(to), row.integer(from), inverseOrder.flatMap { row.integer($0) })
    }
    let goesBack = !isOwn || followed.isReflexive
    guard owner != nil else {
      return try visit(shape, nil, nil) { rows in
        if isOwn { addForward(rows) }
        if goesBack { addBackward(rows) }
      }
    }
    return try (!isOwn || visit(shape, owner, from, addForward))
      && (!goesBack || visit(shape, owner, to, addBackward))
  }
}

/// The keys of all that a to-many relationship leads to, by owner: two integers for each.
package struct DestinationKeys {
  private let owners: [Int64]
  private let destinations: [Int64]

  /// Reads a relationship.
  ///
  /// - Parameters:
  ///   - followed: the relationship.
  ///   - source: where it is read.
  ///   - isOrdered: whether destinations are in the order of the relationship, and not of their keys.
  /// - Throws: `CofferError` where its table cannot be read.
  package init(
    _ followed: FollowedRelationship, in source: some RowSource, inOrder isOrdered: Bool = false
  ) throws {
    var pairs: [(owner: Int64, order: Int64, key: Int64)] = []
    try RelationshipPass(source).forEach(followed) { owner, destination, order in
      pairs.append((owner, isOrdered ? order : 0, destination.primaryKey))
    }
    pairs.sort { $0 < $1 }
    var (owners, destinations): ([Int64], [Int64]) = ([], [])
    owners.reserveCapacity(pairs.count)
    destinations.reserveCapacity(pairs.count)
    for (owner, _, key) in pairs where owners.last != owner || destinations.last != key {
      owners.append(owner)
      destinations.append(key)
    }
    (self.owners, self.destinations) = (owners, destinations)
  }

  /// The keys of what an owner leads to, ascending or in their order.
  package func keys(of owner: Int64) -> ArraySlice<Int64> {
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
