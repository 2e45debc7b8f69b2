internal import CoreDataModel

extension StoreSchema {
  /// One direction of a many-to-many relationship.
  private struct Direction {
    let path: PropertyPath
    let relationship: RelationshipDescription
    /// The column with the primary keys of the objects that it starts from.
    let ownerColumn: String
  }

  /// Adds the tables of many-to-many relationships (store-format, section 5.5).
  mutating func addJoinTables() {
    let directions = manyToManyDirections()
    for first in directions where joinSides[first.path] == nil {
      guard let inverse = model.inverse(of: first.relationship) else { continue }
      let inversePath = PropertyPath(inverse.declaredBy, inverse.relationship.name)
      guard let second = directions.first(where: { $0.path == inversePath }) else { continue }
      if first.path == second.path {
        addReflexiveTable(first)
      } else {
        let isFirst = namingRank(first) <= namingRank(second)
        addJoinTable(isFirst ? first : second, isFirst ? second : first)
      }
    }
  }

  private func manyToManyDirections() -> [Direction] {
    entitiesInOrder.flatMap { entity -> [Direction] in
      var used: Set<String> = []
      return entity.relationships.compactMap { relationship in
        guard relationship.isToMany, !relationship.isTransient,
          let inverse = relationship.inverseName,
          model.inverse(of: relationship)?.relationship.isToMany == true
        else { return nil }
        let name = "Z_\(number(entity.name))\(inverse.text.uppercased())"
        var column = name
        var count = 0
        while !used.insert(column).inserted {
          count += 1
          column = name + String(count)
        }
        return Direction(
          path: PropertyPath(entity.name, relationship.name), relationship: relationship,
          ownerColumn: column)
      }
    }
  }

  /// The side with the lower rank names the table: one with sub-entities, then the lower number.
  ///
  /// Between two relationships of one entity Core Data's choice is not known; here it is the name.
  private func namingRank(_ side: Direction) -> (Int, Int, Name) {
    let isLeaf = model.subentityNames(of: side.path.entity).isEmpty
    return (isLeaf ? 1 : 0, number(side.path.entity), side.path.path)
  }

  private mutating func addJoinTable(_ first: Direction, _ second: Direction) {
    let name = "Z_\(number(first.path.entity))\(first.path.path.text.uppercased())"
    var columns = [first.ownerColumn, second.ownerColumn]
    var orders: [String?] = [nil, nil]
    // The order of the destinations of one side is next to their column.
    for (index, side) in [second, first].enumerated() where side.relationship.isOrdered {
      let key = "Z_FOK_\(columns[index].dropFirst(2))"
      orders[index] = key
      columns.append(key)
    }
    joinTables.append(JoinTable(name: name, columns: columns))
    joinSides[first.path] = JoinSide(
      table: name, ownerColumn: columns[0], destinationColumn: columns[1], orderColumn: orders[1])
    joinSides[second.path] = JoinSide(
      table: name, ownerColumn: columns[1], destinationColumn: columns[0], orderColumn: orders[0])
  }

  private mutating func addReflexiveTable(_ side: Direction) {
    let name = "Z_\(number(side.path.entity))\(side.path.path.text.uppercased())"
    joinTables.append(JoinTable(name: name, columns: [name, "REFLEXIVE"]))
    joinSides[side.path] = JoinSide(
      table: name, ownerColumn: "REFLEXIVE", destinationColumn: name, orderColumn: nil)
  }
}
