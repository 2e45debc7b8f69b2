package import CoreDataModel

/// The entities of a store: their names, the numbers that rows carry, and who inherits from whom.
package struct NumberedEntities: Sendable, Equatable {
  /// One entity.
  package struct Entity: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The number that rows of the store carry.
    package var number: Int64
    /// The name of the entity that it inherits from, or nil.
    package var superentityName: String?

    /// Creates an entity with its name and number.
    package init(name: String, number: Int64, superentityName: String?) {
      self.name = name
      self.number = number
      self.superentityName = superentityName
    }
  }

  /// The entities in ascending order of their numbers.
  package let entities: [Entity]
  /// The numbers by name.
  package let numbers: [ExactString: Int64]
  /// The names by number.
  package let names: [Int64: String]

  /// Creates the list; of two entities with one name or number the first is kept.
  package init(_ entities: [Entity]) {
    var numbers: [ExactString: Int64] = [:]
    var names: [Int64: String] = [:]
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
  package func lineage(of name: String) -> Set<ExactString> {
    var lineage: Set<ExactString> = []
    var next: String? = name
    while let current = next, lineage.insert(current).inserted {
      next = entities.first { $0.name.hasSameBytes(as: current) }?.superentityName
    }
    return lineage
  }

  /// The lineages of an entity and of all entities below it, by their numbers.
  package func lineages(below root: String?) -> [Int64: Set<ExactString>] {
    guard let root else { return [:] }
    var found: [Int64: Set<ExactString>] = [:]
    for entity in entities {
      let lineage = lineage(of: entity.name)
      if lineage.contains(root) { found[entity.number] = lineage }
    }
    return found
  }
}
