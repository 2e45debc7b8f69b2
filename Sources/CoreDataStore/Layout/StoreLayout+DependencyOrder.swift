internal import CoreDataLayout
internal import CoreDataModel

extension StoreLayout {
  /// The tables of objects so that those which others need come first.
  ///
  /// A table needs the tables of the destinations of its mandatory to-one relationships. Optional
  /// relationships have no part in it. Where several tables could come next, it is the one whose
  /// root entity has the lowest number; a cycle begins with its lowest number.
  package var entityTablesInDependencyOrder: [EntityTable] {
    var positions: [ExactString: Int] = [:]
    for (position, table) in entityTables.enumerated() {
      for name in table.entityNames { positions[name] = position }
    }
    var needs = entityTables.enumerated().map { position, table in
      Set(mandatoryDestinations(of: table).compactMap { positions[$0] }).subtracting([position])
    }
    let cycles = cycleNumbers(of: needs)
    var open = Array(entityTables.indices)
    var ordered: [EntityTable] = []
    while !open.isEmpty {
      let next =
        open.firstIndex { needs[$0].isEmpty }
        ?? open.firstIndex { position in
          needs[position].allSatisfy { cycles[$0] == cycles[position] }
        } ?? 0
      let position = open.remove(at: next)
      ordered.append(entityTables[position])
      for other in open { needs[other].remove(position) }
    }
    return ordered
  }

  private func mandatoryDestinations(of table: EntityTable) -> [String] {
    table.columns.compactMap { column in
      guard case .toOne(let name, let entity) = column.role,
        let relationship = model.relationship(name, of: entity)?.relationship,
        !relationship.isOptional
      else { return nil }
      return relationship.destinationName
    }
  }
}

/// A number for each position, the same for all that need each other in a circle.
///
/// Tarjan's algorithm with its own stack, so that a long chain does no harm.
private func cycleNumbers(of needs: [Set<Int>]) -> [Int] {
  let lists = needs.map { $0.sorted() }
  var numbers = Array(repeating: -1, count: needs.count)
  var found = Array(repeating: -1, count: needs.count)
  var lowest = found
  var pending: [Int] = []
  var (time, count) = (0, 0)
  for start in lists.indices where found[start] < 0 {
    var path: [(position: Int, next: Int)] = [(start, 0)]
    while let (position, next) = path.last {
      if next == 0 {
        (found[position], lowest[position]) = (time, time)
        time += 1
        pending.append(position)
      }
      if next < lists[position].count {
        path[path.count - 1].next += 1
        let other = lists[position][next]
        if found[other] < 0 {
          path.append((other, 0))
        } else if numbers[other] < 0 {
          lowest[position] = min(lowest[position], found[other])
        }
        continue
      }
      path.removeLast()
      if let above = path.last?.position { lowest[above] = min(lowest[above], lowest[position]) }
      guard lowest[position] == found[position] else { continue }
      while let last = pending.popLast() {
        numbers[last] = count
        if last == position { break }
      }
      count += 1
    }
  }
  return numbers
}
