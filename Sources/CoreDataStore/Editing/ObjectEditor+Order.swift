package import CoreDataModel

extension ObjectEditor {
  /// The members of an ordered relationship, in order; members without a position last.
  ///
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
  package func order(_ members: [Int64], _ ordered: Int, of owner: Int64) throws(CofferError) {
    var positions: [Int64: Int64] = [:]
    for member in try self.members(ordered, of: owner) { positions[member.key] = member.position }
    try order(members, at: positions, ordered, of: owner)
  }

  /// Gives some members of an ordered relationship ascending positions.
  ///
  /// - Returns: whether there was anything to do.
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

  /// Puts members without a position after all others.
  func appendUnordered() throws(CofferError) {
    for index in schema.ordered.indices {
      let owners = try statements.integers(
        "SELECT o FROM \(Self.unordered) WHERE r = ?", .integer(Int64(index)))
      for owner in owners { try order(members(index, of: owner).map(\.key), index, of: owner) }
    }
  }
}

/// Order keys, as Core Data gives them to the objects of an ordered relationship.
///
/// Source: store-format, section 5.6.
package enum OrderKeys {
  private static let first: Int64 = 2048
  private static let step: Int64 = 1024
  /// Keys beyond are not built on.
  private static let limit = UInt64(Int64.max / 4)

  /// Gives a key to each of some objects, in their new order, and changes as few as possible.
  ///
  /// - Parameter keys: the keys that they have; nil for an object without one.
  /// - Returns: the keys, strictly ascending.
  package static func assigned(_ keys: [Int64?]) -> [Int64] {
    let known = keys.indices.filter { keys[$0] != nil }
    var kept = keys.compactMap(\.self).longestAscent.map { known[$0] }
    guard kept.allSatisfy({ (keys[$0] ?? 0).magnitude < limit }) else { return fresh(keys.count) }
    var result = keys.map { $0 ?? 0 }
    guard let lowest = kept.first else { return fresh(keys.count) }
    for index in stride(from: lowest - 1, through: 0, by: -1) {
      result[index] = result[index + 1] - step
    }
    var position = 0
    while position + 1 < kept.count {
      let (low, high) = (kept[position], kept[position + 1])
      let (missing, gap) = (Int64(high - low - 1), result[high] - result[low])
      if missing == 0 {
        position += 1
      } else if gap > missing {
        // The gap is split evenly.
        let (whole, rest) = gap.quotientAndRemainder(dividingBy: missing + 1)
        for index in (low + 1)..<high {
          let steps = Int64(index - low)
          result[index] = result[low] + whole * steps + rest * steps / (missing + 1)
        }
        position += 1
      } else {
        // No gap: the next object gets another key too.
        kept.remove(at: position + 1)
      }
    }
    let last = kept[kept.count - 1]
    for index in (last + 1)..<max(last + 1, keys.count) { result[index] = result[index - 1] + step }
    return result
  }

  private static func fresh(_ count: Int) -> [Int64] { (0..<count).map { key(at: Int64($0)) } }

  /// The key of the object at a position, counted from 0, of a relationship that gets its order at once.
  package static func key(at position: Int64) -> Int64 {
    first &+ step &* position
  }
}
