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

  /// Creates the list; of two entities with one name or number the first is kept.
  package init(_ entities: [Entity]) {
    var numbers: [Name: Int64] = [:]
    var names: [Int64: Name] = [:]
    var kept: [Entity] = []
    for entity in entities.sorted(by: { $0.number < $1.number })
    where numbers[entity.name] == nil && names[entity.number] == nil {
      numbers[entity.name] = entity.number
      names[entity.number] = entity.name
      kept.append(entity)
    }
    self.entities = kept
    self.numbers = numbers
    self.names = names
  }

  /// The names of an entity and of all that it inherits from.
  package func lineage(of name: Name) -> Set<Name> {
    var lineage: Set<Name> = []
    var next: Name? = name
    while let current = next, lineage.insert(current).inserted {
      next = entities.first { $0.name == current }?.superentityName
    }
    return lineage
  }

  /// The lineages of an entity and of all entities below it, by their numbers.
  package func lineages(below root: Name?) -> [Int64: Set<Name>] {
    guard let root else { return [:] }
    var found: [Int64: Set<Name>] = [:]
    for entity in entities {
      let lineage = lineage(of: entity.name)
      if lineage.contains(root) { found[entity.number] = lineage }
    }
    return found
  }
}
