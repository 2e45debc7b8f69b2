internal import CoreDataModel

/// The number of objects of each entity including its subentities.
struct OwnerCounts {
  private let counts: [ExactString: Int]

  /// Counts the objects of an inspection.
  init(_ inspection: Inspection) {
    let model = inspection.model
    var counts: [ExactString: Int] = [:]
    for entity in inspection.entities { counts[entity.name] = entity.objectCount }
    // Every entity before those below it; what stands in a cycle comes from no root.
    var order: [String] = []
    var rest = model.rootEntities.map(\.name)
    while let name = rest.popLast() {
      order.append(name)
      rest += model.subentityNames(of: name)
    }
    for name in order.reversed() {
      guard let parent = model[name]?.superentityName, model[parent] != nil else { continue }
      counts[parent, default: 0] += counts[name] ?? 0
    }
    self.counts = counts
  }

  /// The number of objects of the entity and its subentities; 0 if the model lacks it.
  subscript(entity: String) -> Int { counts[entity] ?? 0 }
}
