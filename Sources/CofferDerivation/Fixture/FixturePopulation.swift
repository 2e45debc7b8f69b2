internal import CoreDataModel

/// The number of objects of each entity in a fixture, and their primary keys.
///
/// The objects of an entity and of all below it have consecutive keys.
struct FixturePopulation {
  private let model: ManagedObjectModel
  private var counts: [Name: Int]
  private var firstKeys: [Name: Int64] = [:]

  /// Finds the largest numbers that relationships allow.
  init(
    _ wanted: [Name: Int], _ links: [FixtureLink],
    capacities: [(entity: Name, count: Int)], _ model: ManagedObjectModel
  ) {
    self.model = model
    counts = wanted
    // Each step leaves fewer objects, so the loop ends.
    var isDone = false
    while !isDone {
      isDone = true
      for (entity, count) in capacities where limit(entity, to: count) { isDone = false }
      for link in links where apply(link) { isDone = false }
    }
    for root in model.rootEntities {
      var next: Int64 = 1
      for entity in model.tree(of: root.name) {
        firstKeys[entity.name] = next
        next += Int64(count(of: entity.name))
      }
    }
  }

  /// The number of objects of an entity itself.
  func count(of entity: Name) -> Int { counts[entity] ?? 0 }

  func count(below entity: Name) -> Int {
    model.tree(of: entity).reduce(0) { $0 + count(of: $1.name) }
  }

  /// The key of the first object of an entity, or of one below it.
  func firstKey(of entity: Name) -> Int64 { firstKeys[entity] ?? 1 }

  /// Reduces the number of objects to the number that a relationship allows.
  ///
  /// - Returns: whether there are fewer now.
  private mutating func apply(_ link: FixtureLink) -> Bool {
    var isChanged = false
    func limited(_ entity: Name, to count: Int?) -> Bool {
      count.map { limit(entity, to: $0) } ?? false
    }
    let members = count(below: link.members)
    if limited(
      link.members,
      to: link.memberBounds.limit(with: count(below: link.owners), link.ownerBounds))
    {
      isChanged = true
    }
    if limited(link.owners, to: link.ownerBounds.limit(with: members, link.memberBounds)) {
      isChanged = true
    }
    guard !link.memberBounds.mayBeEmpty else { return isChanged }
    if link.ownerBounds.least > members, limit(link.members, to: 0) { isChanged = true }
    guard link.isReflexive else { return isChanged }
    let most = link.memberBounds.most == 1 ? members & ~1 : members
    return limit(link.members, to: link.memberBounds.least < members ? most : 0) || isChanged
  }

  /// Reduces an entity and all below it to a number of objects, in the same proportions.
  private mutating func limit(_ entity: Name, to most: Int) -> Bool {
    let total = count(below: entity)
    guard total > most else { return false }
    let wanted = model.tree(of: entity).map { ($0.name, count(of: $0.name)) }
    var rest = most
    for (name, own) in wanted {
      let share = min(Int(Double(own) / Double(total) * Double(most)), rest)
      counts[name] = share
      rest -= share
    }
    for (name, own) in wanted {
      let more = min(rest, own - count(of: name))
      counts[name, default: 0] += more
      rest -= more
    }
    return true
  }
}
