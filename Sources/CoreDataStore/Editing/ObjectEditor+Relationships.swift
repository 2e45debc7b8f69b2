package import CoreDataModel

extension ObjectEditor {
  // MARK: References

  /// The key that a reference of an object holds; nil for none.
  package func destination(
    _ reference: Int, of object: StoredObject
  ) throws(CofferError) -> Int64? {
    try lookup.integer(schema.references[reference].column, of: object)
  }

  /// Lets a reference of an object lead elsewhere, and its inverse follow.
  ///
  /// Of a relationship that is to-one on both sides, the objects that lose their partner lose it on
  /// both sides. In an ordered inverse, the object becomes the last one unless
  /// ``order(_:_:of:)`` says otherwise.
  ///
  /// - Parameters:
  ///   - reference: the index of the reference in the schema.
  ///   - object: the object with the column.
  ///   - destination: the key of the destination; nil for none.
  /// - Returns: whether it led elsewhere before.
  /// - Throws: ``CofferError`` with `refused` if a trigger must run that coffer cannot run.
  @discardableResult
  package func set(
    _ reference: Int, of object: StoredObject, to destination: Int64?
  ) throws(CofferError) -> Bool {
    let found = schema.references[reference]
    let old = try self.destination(reference, of: object)
    guard old != destination else { return false }
    try write(reference, of: object, destination)
    let target = destination.map { StoredObject(table: found.destinationTable, key: $0) }
    let before = old.map { StoredObject(table: found.destinationTable, key: $0) }
    if let partner = found.partner {
      if let before, try self.destination(partner, of: before) == object.key {
        try write(partner, of: before, nil)
      }
      if let target {
        let loser = try self.destination(partner, of: target)
        if let loser, loser != object.key {
          let other = StoredObject(table: found.table, key: loser)
          if try self.destination(reference, of: other) == target.key {
            try write(reference, of: other, nil)
          }
        }
        if loser != object.key { try write(partner, of: target, object.key) }
      }
    } else {
      let property = inverseProperty(found)
      if let before, try entityNumber(of: before) != nil { try touch(before, property) }
      if let target { try touch(target, property) }
    }
    if let target, let order = schema.orderOfReference[reference] {
      try noteUnordered(order, owner: target.key)
    }
    return true
  }

  /// The number of the to-many inverse among the properties of the destination.
  func inverseProperty(_ reference: EditedReference) -> Int? {
    guard let inverse = reference.inverse, inverse.relationship.isToMany else { return nil }
    return schema.property(
      PropertyReference(entity: inverse.entity, property: inverse.relationship.name),
      in: reference.destinationTable)
  }

  /// Writes the columns of a reference, and nothing else.
  func write(_ reference: Int, of object: StoredObject, _ destination: Int64?) throws(CofferError) {
    let found = schema.references[reference]
    try requireEditable(object.table)
    var sets = ["\(name(found.column, of: found.table)) = ?2"]
    var values: [SQLiteValue] = [.integer(object.key), destination.map { .integer($0) } ?? .null]
    if let column = found.entityColumn {
      let entity = try destination.flatMap { key throws(CofferError) in
        try entityNumber(of: StoredObject(table: found.destinationTable, key: key))
      }
      sets.append("\(name(column, of: found.table)) = ?3")
      values.append(entity.map { .integer($0) } ?? .null)
    }
    if let column = found.orderColumn { sets.append("\(name(column, of: found.table)) = NULL") }
    try statements.run(
      "UPDATE \(name(found.table)) SET \(sets.joined(separator: ", ")) WHERE Z_PK = ?1", values)
    for column in [found.column, found.entityColumn, found.orderColumn].compactMap(\.self) {
      try touch(object, Int64(column))
    }
  }

  /// The objects that refer to an object.
  package func holders(
    of object: StoredObject, in reference: Int
  ) throws(CofferError) -> [StoredObject] {
    try lookup.holders(of: object, in: schema.references[reference])
  }

  // MARK: Pairs

  /// Adds a pair to a relationship that is to-many on both sides.
  ///
  /// - Parameters:
  ///   - source: the key of the object at the first end.
  ///   - destination: the key of the object at the second end.
  ///   - pairs: the index of the join table in the schema.
  /// - Returns: false if there was such a pair.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  @discardableResult
  package func insertPair(
    _ source: Int64, _ destination: Int64, into pairs: Int
  ) throws(CofferError) -> Bool {
    guard try !hasPair(source, destination, in: pairs) else { return false }
    let found = schema.pairs[pairs]
    try requireEditable(table: found.name)
    try statements.run(
      "INSERT INTO \(quotedIdentifier(found.name)) (\(quotedIdentifier(found.ends[0].column)), "
        + "\(quotedIdentifier(found.ends[1].column))) VALUES (?, ?)", .integer(source),
      .integer(destination))
    for (end, key) in [source, destination].enumerated() {
      if let order = schema.orderOfPairs[[pairs, end]] { try noteUnordered(order, owner: key) }
    }
    try touchEnds(source, destination, of: found)
    return true
  }

  /// Removes a pair from a relationship that is to-many on both sides; returns false if there was no such pair.
  @discardableResult
  package func removePair(
    _ source: Int64, _ destination: Int64, from pairs: Int
  ) throws(CofferError) -> Bool {
    let found = schema.pairs[pairs]
    let count = try statements.run(
      "DELETE FROM \(quotedIdentifier(found.name)) WHERE \(found.condition)", .integer(source),
      .integer(destination))
    guard count > 0 else { return false }
    try requireEditable(table: found.name)
    try touchEnds(source, destination, of: found)
    return true
  }

  /// Whether there is a pair with this source and destination.
  package func hasPair(
    _ source: Int64, _ destination: Int64, in pairs: Int
  ) throws(CofferError) -> Bool {
    try lookup.hasPair(source, destination, in: schema.pairs[pairs])
  }

  func touchEnds(_ source: Int64, _ destination: Int64, of pairs: EditedPairs) throws(CofferError) {
    for (end, key) in [source, destination].enumerated() {
      let object = StoredObject(table: pairs.ends[end].table, key: key)
      guard try entityNumber(of: object) != nil else { continue }
      try touch(object, schema.property(pairs.ends[end].property, in: object.table))
    }
  }

  /// The keys at the other end of the pairs of an object.
  package func partners(of key: Int64, at end: Int, in pairs: Int) throws(CofferError) -> [Int64] {
    try lookup.partners(of: key, at: end, in: schema.pairs[pairs])
  }
}
