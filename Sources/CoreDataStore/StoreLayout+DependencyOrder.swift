internal import CoreDataModel

extension StoreLayout {
  /// The tables of objects so that those which others need come first.
  ///
  /// A table needs the tables of the destinations of its mandatory to-one relationships. Optional
  /// relationships have no part in it. Where several tables could come next, or where a cycle must
  /// be broken, it is the one whose root entity has the lowest number.
  package var entityTablesInDependencyOrder: [EntityTable] {
    var positions: [String: Int] = [:]
    for (position, table) in entityTables.enumerated() {
      for name in table.entityNames { positions[name] = position }
    }
    var needs = entityTables.enumerated().map { position, table in
      Set(mandatoryDestinations(of: table).compactMap { positions[$0] }).subtracting([position])
    }
    var open = Array(entityTables.indices)
    var ordered: [EntityTable] = []
    while !open.isEmpty {
      let next = open.firstIndex { needs[$0].isEmpty } ?? 0
      let position = open.remove(at: next)
      ordered.append(entityTables[position])
      for other in open { needs[other].remove(position) }
    }
    return ordered
  }

  private func mandatoryDestinations(of table: EntityTable) -> [String] {
    table.columns.compactMap { column in
      guard case .toOne(let name, let destination, let entity) = column.role,
        let relationship = model.relationship(name, of: entity)?.relationship,
        !relationship.isOptional
      else { return nil }
      return destination
    }
  }
}
