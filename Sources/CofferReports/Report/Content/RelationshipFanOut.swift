internal import CofferCore
package import CoreDataModel

/// The number of destinations of the objects with a relationship.
package struct RelationshipFanOut: Sendable, Equatable {
  /// A range of destinations and its number of objects.
  package struct Step: Sendable, Equatable {
    /// The minimum number of destinations.
    package var least: Int
    /// The maximum number of destinations.
    package var greatest: Int
    /// The number of objects.
    package var ownerCount: Int
  }

  /// An object with many destinations.
  package struct Hub: Sendable, Equatable {
    /// The object.
    package var objectID: ManagedObjectID
    /// The number of its destinations.
    package var count: Int
  }

  /// The declaring entity.
  package var entityName: Name
  /// The relationship in the model.
  package var relationship: RelationshipDescription
  /// The number of objects with the relationship, including subentities of the entity.
  package var ownerCount: Int
  /// The number of these objects with a destination that exists and is of the right entity.
  package var filledCount: Int
  /// The number of destinations, each counted once per reference.
  package var destinationCount: Int
  /// The median number of destinations, which is between two numbers for an even number of objects; 0
  /// without objects.
  package var median: Double
  /// The minimum number of destinations of an object; 0 without objects.
  package var least: Int
  /// The maximum number of destinations of an object; 0 without objects.
  package var greatest: Int
  /// The distribution of the number of destinations, in ascending order; empty steps are left out,
  /// and a to-one relationship has none.
  package var steps: [Step]
  /// The objects with the most destinations, at most five, most first; none for a to-one
  /// relationship.
  package var hubs: [Hub]

  /// The number of objects without a destination.
  package var emptyCount: Int { max(0, ownerCount - filledCount) }
  /// The mean number of destinations; 0 without objects.
  package var mean: Double {
    ownerCount > 0 ? Double(destinationCount) / Double(ownerCount) : 0
  }
}

/// The number of objects of each entity including its subentities.
struct OwnerCounts {
  private let counts: [Name: Int]

  /// Counts the objects of an inspection.
  init(_ inspection: Inspection) {
    let model = inspection.model
    var counts: [Name: Int] = [:]
    for entity in inspection.entities { counts[entity.name] = entity.objectCount }
    // Entities before their subentities. Entities in a cycle have no root.
    var order: [String] = []
    var rest = model.rootEntities.map(\.name)
    while let name = rest.popLast() {
      order.append(name.text)
      rest += model.subentityNames(of: name)
    }
    for name in order.reversed() {
      guard let parent = model[Name(name)]?.superentityName, model[parent] != nil else { continue }
      counts[parent, default: 0] += counts[Name(name)] ?? 0
    }
    self.counts = counts
  }

  /// The number of objects of the entity and its subentities; 0 if the model lacks it.
  subscript(entity: Name) -> Int { counts[entity] ?? 0 }
}
