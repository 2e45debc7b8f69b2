package import CoreDataModel

/// Lists the relationships of a model that are to-many on both sides, each with its inverse.
package struct JoinPairs {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering

  /// The pairs, in the order of the entities' numbers; each once.
  package private(set) var pairs: [JoinPair] = []
  /// The inverses that relationships name and no entity declares.
  private(set) var missing: [MissingPart] = []

  /// Lists the relationships of a model, in a time linear in their number.
  package init(model: ManagedObjectModel, numbering: EntityNumbering) {
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
              expectedName: inverseName.text))
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

  private func side(_ entity: Name, _ relationship: RelationshipDescription) -> JoinPair.Side {
    JoinPair.Side(
      reference: PropertyReference(entity: entity, property: relationship.name),
      upperName: relationship.name.text.uppercased(), number: numbering.number(of: entity),
      isOrdered: relationship.isOrdered,
      hasSubentities: !model.subentityNames(of: entity).isEmpty)
  }
}

/// Two relationships that are each other's inverse and both to-many; or one that is its own inverse.
package struct JoinPair {
  /// One of the two relationships.
  package struct Side {
    /// The relationship and the entity that declares it.
    package var reference: PropertyReference
    /// The upper-case name, as in the schema.
    package var upperName: String
    /// The number of the entity, or nil if the store has none.
    package var number: Int64?
    /// Whether the destinations are ordered.
    package var isOrdered: Bool
    var hasSubentities: Bool

    /// Whether this side names the table by the rule: the side with subentities, otherwise the side
    /// with the lower number.
    func comesFirst(before other: Side) -> Bool {
      if hasSubentities != other.hasSubentities { return hasSubentities }
      let (own, others) = (number ?? .max, other.number ?? .max)
      return own == others ? reference.property <= other.reference.property : own < others
    }
  }

  /// The side that names the table by the rule.
  package var first: Side
  /// The other side; the same for a relationship that is its own inverse.
  package var second: Side

  var references: Set<PropertyReference> { [first.reference, second.reference] }

  /// Whether the relationship is its own inverse.
  package var isReflexive: Bool { first.reference == second.reference }

  /// The pair with either side naming the table, beginning with the side that the rule gives.
  package var namings: [JoinPair] {
    isReflexive ? [self] : [self, JoinPair(first: second, second: first)]
  }

  /// A name without digits at its end, to look up namesakes.
  static func core(_ name: String) -> SchemaName {
    var bytes = Array(name.utf8)
    while let last = bytes.last, (0x30...0x39).contains(last) { bytes.removeLast() }
    return SchemaName(String(decoding: bytes, as: UTF8.self))
  }
}
