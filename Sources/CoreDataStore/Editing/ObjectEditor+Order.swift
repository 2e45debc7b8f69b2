package import CoreDataModel

extension ObjectEditor {
  /// The members of an ordered relationship, in order; those without a position last.
  ///
  /// - Parameters:
  ///   - ordered: the index of the relationship in the schema.
  ///   - owner: the key of the owner.
  /// - Returns: the keys of the members with their positions.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func members(
    _ ordered: Int, of owner: Int64
  ) throws(CofferError) -> [(key: Int64, position: Int64?)] {
    let found = schema.ordered[ordered]
    return try statements.integers(found.memberStatement, .integer(owner)).map {
      key throws(CofferError) in
      let row = try statements.row(
        "SELECT \(found.order) FROM \(found.table) WHERE \(found.owner) = ? AND \(found.member) = ?",
        .integer(owner), .integer(key))
      return (key, row?[0].integer)
    }
  }

  /// Puts the members of an ordered relationship in order, and gives as few of them another position
  /// as possible.
  ///
  /// - Parameters:
  ///   - members: the keys of all members in their new order.
  ///   - ordered: the index of the relationship in the schema.
  ///   - owner: the key of the owner.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func order(
    _ members: [Int64], _ ordered: Int, of owner: Int64
  ) throws(CofferError) {
    var positions: [Int64: Int64] = [:]
    for member in try self.members(ordered, of: owner) { positions[member.key] = member.position }
    try order(members, at: positions, ordered, of: owner)
  }

  /// Gives some members of an ordered relationship ascending positions.
  ///
  /// - Parameters:
  ///   - members: the keys of these members in their order.
  ///   - positions: the positions that they have.
  ///   - ordered: the index of the relationship in the schema.
  ///   - owner: the key of the owner.
  /// - Returns: whether there was anything to do.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  @discardableResult
  func order(
    _ members: [Int64], at positions: [Int64: Int64], _ ordered: Int, of owner: Int64
  ) throws(CofferError) -> Bool {
    let found = schema.ordered[ordered]
    var isChanged = false
    for (key, position) in zip(members, OrderKeys.assigned(members.map { positions[$0] }))
    where positions[key] != position {
      try requireEditable(table: found.tableName)
      try statements.run(
        "UPDATE \(found.table) SET \(found.order) = ? WHERE \(found.owner) = ? "
          + "AND \(found.member) = ?", .integer(position), .integer(owner), .integer(key))
      isChanged = true
      if let property = found.memberProperty {
        try touch(StoredObject(table: found.memberTable, key: key), Int64(property))
      }
    }
    if isChanged {
      try touch(StoredObject(table: found.ownerTable, key: owner), found.ownerProperty)
    }
    return isChanged
  }

  func noteUnordered(_ ordered: Int, owner: Int64) throws(CofferError) {
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.unordered) VALUES (?, ?)", .integer(Int64(ordered)),
      .integer(owner))
  }

  /// Puts members without a position behind all others.
  func appendUnordered() throws(CofferError) {
    for index in schema.ordered.indices {
      let owners = try statements.integers(
        "SELECT o FROM \(Self.unordered) WHERE r = ?", .integer(Int64(index)))
      for owner in owners { try order(members(index, of: owner).map(\.key), index, of: owner) }
    }
  }
}
