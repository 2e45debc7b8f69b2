package import CoreDataModel

extension ObjectLookup {
  /// Passes on the relationships of an object, with a closure for the existing destinations.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - entity: the number of its entity.
  ///   - body: receives each relationship.
  /// - Throws: errors from the closure.
  func forEachRelationship(
    of object: StoredObject, _ entity: Int64,
    _ body: (RelationshipDescription, () throws(CofferError) -> [StoredObject]) throws(CofferError)
      -> Void
  ) throws(CofferError) {
    for reference in schema.references {
      if reference.table == object.table, reference.holders.contains(entity),
        let relationship = reference.relationship
      {
        try body(relationship) { () throws(CofferError) in
          try destination(of: object, in: reference)
        }
      }
      if reference.destinationTable == object.table, let inverse = reference.inverse,
        inverse.relationship.isToMany,
        schema.numbers(below: inverse.entity).contains(entity)
      {
        try body(inverse.relationship) { () throws(CofferError) in
          try holders(of: object, in: reference)
        }
      }
    }
    for pairs in schema.pairs {
      for end in 0...1 where pairs.ends[end].table == object.table {
        let other = pairs.ends[1 - end].table
        try body(pairs.ends[end].relationship) { () throws(CofferError) in
          try partners(of: object.key, at: end, in: pairs).map {
            StoredObject(table: other, key: $0)
          }
        }
      }
    }
  }

  /// The destinations of an object's relationships with a delete rule, each with the name of its
  /// relationship.
  package func destinations(
    of object: StoredObject, by rule: DeleteRule
  ) throws(CofferError) -> [(object: StoredObject, relationshipName: String)] {
    guard let entity = try entityNumber(of: object) else { return [] }
    var found: [(object: StoredObject, relationshipName: String)] = []
    try forEachRelationship(of: object, entity) {
      relationship, destinations throws(CofferError) in
      guard relationship.deleteRule == rule else { return }
      for destination in try destinations() { found.append((destination, relationship.name)) }
    }
    return found
  }

  /// The objects that cannot be deleted without an object: those that lead to it by a relationship with
  /// the delete rule Cascade or Deny.
  package func owners(of object: StoredObject) throws(CofferError) -> [StoredObject] {
    guard let entity = try entityNumber(of: object) else { return [] }
    func isOwning(_ relationship: RelationshipDescription?) -> Bool {
      relationship?.deleteRule == .cascade || relationship?.deleteRule == .deny
    }
    var found: [StoredObject] = []
    for reference in schema.references {
      if reference.table == object.table, reference.holders.contains(entity),
        isOwning(reference.inverse?.relationship)
      {
        found += try destination(of: object, in: reference)
      }
      if reference.destinationTable == object.table, isOwning(reference.relationship) {
        found += try holders(of: object, in: reference)
      }
    }
    for pairs in schema.pairs {
      for end in 0...1
      where pairs.ends[end].table == object.table && isOwning(pairs.ends[1 - end].relationship) {
        let table = pairs.ends[1 - end].table
        found += try partners(of: object.key, at: end, in: pairs).map {
          StoredObject(table: table, key: $0)
        }
      }
    }
    return found
  }

  /// The object that a reference leads to; none if there is no such object.
  private func destination(
    of object: StoredObject, in reference: EditedReference
  ) throws(CofferError) -> [StoredObject] {
    guard let key = try integer(reference.column, of: object) else { return [] }
    let other = StoredObject(table: reference.destinationTable, key: key)
    return try contains(other) ? [other] : []
  }
}
