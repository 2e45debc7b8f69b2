internal import CoreDataModel

/// Lists the relationships of a model that are to-many on both sides, each with its inverse.
struct JoinPairs {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering

  /// The pairs, in the order of the entities' numbers; each once.
  private(set) var pairs: [JoinPair] = []
  /// The inverses that relationships name and no entity declares.
  private(set) var missing: [MissingPart] = []

  init(model: ManagedObjectModel, numbering: EntityNumbering) {
    self.model = model
    self.numbering = numbering
    var seen: Set<Set<PropertyReference>> = []
    for entity in numbering.inOrder(model.entities.map(\.name)) {
      for relationship in model[entity]?.relationships ?? []
      where relationship.isToMany && !relationship.isTransient {
        guard let inverseName = relationship.inverseName else { continue }
        guard let inverse = model.inverse(of: relationship) else {
          missing.append(
            MissingPart(
              kind: .inverse, entity: entity, property: relationship.name,
              expectedName: inverseName))
          continue
        }
        guard inverse.relationship.isToMany, !inverse.relationship.isTransient else { continue }
        let here = side(entity, relationship)
        let there = side(inverse.declaredBy, inverse.relationship)
        let isInOrder = here.comesFirst(before: there)
        let pair = JoinPair(first: isInOrder ? here : there, second: isInOrder ? there : here)
        if seen.insert(pair.references).inserted { pairs.append(pair) }
      }
    }
  }

  private func side(_ entity: String, _ relationship: RelationshipDescription) -> JoinPair.Side {
    JoinPair.Side(
      reference: PropertyReference(entity: entity, property: relationship.name),
      upperName: relationship.name.uppercased(), number: numbering.number(of: entity),
      isOrdered: relationship.isOrdered,
      hasSubentities: !model.subentityNames(of: entity).isEmpty)
  }
}
