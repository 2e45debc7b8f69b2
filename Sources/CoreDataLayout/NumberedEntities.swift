package import CoreDataModel

/// The entities of a store: their names, the numbers that rows carry, and who inherits from whom.
package struct NumberedEntities: Sendable, Equatable {
  /// One entity.
  package struct Entity: Sendable, Equatable {
    /// The name.
    package var name: Name
    /// The number that rows of the store carry.
    package var number: Int64
    /// The name of the entity that it inherits from, or nil.
    package var superentityName: Name?

    /// Creates an entity with its name and number.
    package init(name: Name, number: Int64, superentityName: Name?) {
      self.name = name
      self.number = number
      self.superentityName = superentityName
    }
  }

  /// The entities in ascending order of their numbers.
  package let entities: [Entity]
  /// The numbers by name.
  package let numbers: [Name: Int64]
  /// The names by number.
  package let names: [Int64: Name]
  private let superentityNames: [Name: Name]
  private let subentityNames: [Name: [Name]]

  /// Creates the list; of two entities with one name or number the first is kept.
  package init(_ entities: [Entity]) {
    var numbers: [Name: Int64] = [:]
    var names: [Int64: Name] = [:]
    var kept: [Entity] = []
    var superentityNames: [Name: Name] = [:]
    var subentityNames: [Name: [Name]] = [:]
    for entity in entities.sorted(by: { $0.number < $1.number })
    where numbers[entity.name] == nil && names[entity.number] == nil {
      numbers[entity.name] = entity.number
      names[entity.number] = entity.name
      kept.append(entity)
      guard let superentity = entity.superentityName else { continue }
      superentityNames[entity.name] = superentity
      subentityNames[superentity, default: []].append(entity.name)
    }
    self.entities = kept
    self.numbers = numbers
    self.names = names
    self.superentityNames = superentityNames
    self.subentityNames = subentityNames
  }

  /// The names of an entity and of all that it inherits from.
  package func lineage(of name: Name) -> Set<Name> {
    var lineage: Set<Name> = []
    var next: Name? = name
    while let current = next, lineage.insert(current).inserted {
      next = superentityNames[current]
    }
    return lineage
  }

  /// The lineages of an entity and of all entities below it, by their numbers.
  package func lineages(below root: Name?) -> [Int64: Set<Name>] {
    var found: [Int64: Set<Name>] = [:]
    var seen: Set<Name> = []
    var rest = root.map { [$0] } ?? []
    while let name = rest.popLast() {
      guard seen.insert(name).inserted else { continue }
      if let number = numbers[name] { found[number] = lineage(of: name) }
      rest += subentityNames[name] ?? []
    }
    return found
  }
}
