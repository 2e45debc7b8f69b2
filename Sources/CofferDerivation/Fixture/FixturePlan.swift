internal import CofferCore
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// All objects of a fixture: their number, and the makers of their values and relationships.
final class FixturePlan {
  let model: ManagedObjectModel
  let schema: EditedSchema
  let population: FixturePopulation
  private let seed: UInt64
  private let likeness: StoreLikeness?
  private let unique: Set<PropertyReference>
  private let links: [FixtureLink.Place: FixtureLink]
  private var pairings: [FixtureLink.Place: FixturePairing] = [:]
  /// The attributes from which others are computed.
  private let aggregated: Set<Name>

  init(
    _ design: StoreDesign, _ options: FixtureOptions, like likeness: StoreLikeness?, place: String
  ) throws(CofferError) {
    let layout = try design.layout(place: place)
    let model = layout.model
    self.model = model
    self.likeness = likeness
    schema = EditedSchema(layout)
    seed = options.seed
    aggregated = Self.aggregated(in: model)
    var links = FixtureLink.all(in: schema, model)
    let constraints = FixtureConstraints(model)
    for index in links.indices where constraints.relationships.contains(links[index].name) {
      links[index].makeUnique()
    }
    unique = constraints.attributes
    var wanted: [Name: Int] = [:]
    for table in schema.tables {
      for name in table.entityNames where model[name]?.isAbstract == false {
        let name = name
        wanted[name] = likeness.map { $0.counts[name] ?? 0 } ?? options.objectCount
      }
    }
    population = FixturePopulation(wanted, links, capacities: constraints.capacities, model)
    self.links = Dictionary(links.map { ($0.place, $0) }) { first, _ in first }
  }

  /// The names of attributes that a derivation or a spatial index uses, in any entity.
  private static func aggregated(in model: ManagedObjectModel) -> Set<Name> {
    var names: Set<Name> = []
    for attribute in model.entities.flatMap(\.attributes) {
      let expression = attribute.derivation?.expression.formatDescription ?? ""
      let words = expression.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      let components = attribute.spatialComponents?.flatMap(\.self) ?? []
      for name in words.map({ Name(String($0)) }) + components { names.insert(name) }
    }
    return names
  }

  // MARK: Parts

  /// The values of an attribute, by its path from the entity that declares it; nil for one that is
  /// derived.
  func attribute(_ path: [Name], of entity: Name) -> FixtureAttribute? {
    guard let first = path.first, let description = model[entity],
      description.attribute(first)?.isDerived == false,
      let attribute = description.attribute(at: path)
    else { return nil }
    let name = Name(path: path)
    return FixtureAttribute(
      attribute, isUnique: unique.contains(PropertyReference(entity: entity, property: name)),
      isAggregated: !aggregated.isDisjoint(with: Set(path)),
      likeness: likeness.flatMap { $0.values["\(entity).\(name)"] },
      seed: SeededRandom.seed(seed, entity.text, name.text))
  }

  /// The relationship that is stored in a place, with the objects that it connects; nil for one that is
  /// filled from the other side.
  func pairing(_ place: FixtureLink.Place) -> (link: FixtureLink, pairing: FixturePairing)? {
    guard let link = links[place] else { return nil }
    if let known = pairings[place] { return (link, known) }
    let members = population.count(below: link.members)
    var overlap: Int?
    // In one hierarchy, the objects of two entities can be the same only if one is below the other.
    if model.isEntity(link.members, kindOf: link.owners)
      || model.isEntity(link.owners, kindOf: link.members)
    {
      overlap = Int(population.firstKey(of: link.members) - population.firstKey(of: link.owners))
    }
    let pairing = FixturePairing(
      link, memberCount: members, ownerCount: population.count(below: link.owners),
      overlap: overlap, share: share(of: link, members),
      seed: SeededRandom.seed(seed, link.name.text))
    pairings[place] = pairing
    return (link, pairing)
  }

  private func share(of link: FixtureLink, _ members: Int) -> Double {
    guard let likeness else {
      if case .pairs = link.place { return 2 }
      return 0.8
    }
    let names = [link.name, link.inverseName].compactMap(\.self)
    switch link.place {
    case .reference: return likeness.shares[names[0]] ?? 0
    case .pairs:
      let count = names.lazy.compactMap { likeness.pairCounts[$0] }.first ?? 0
      return Double(count) / Double(max(1, members))
    }
  }
}

/// The demands of uniqueness constraints: attributes whose values all differ, or to-one relationships
/// whose destinations do.
private struct FixtureConstraints {
  private(set) var attributes: Set<PropertyReference> = []
  /// The relationships, as `Entity.relationship`.
  private(set) var relationships: Set<Name> = []
  /// The number of objects that can have different values, by entity.
  private(set) var capacities: [(entity: Name, count: Int)] = []

  init(_ model: ManagedObjectModel) {
    for entity in model.entities {
      for constraint in entity.uniquenessConstraints { add(constraint, entity.name, model) }
    }
  }

  private mutating func add(_ constraint: [Name], _ entity: Name, _ model: ManagedObjectModel) {
    let lineage = model.lineage(of: entity)
    var best: (property: PropertyReference, capacity: Int, distinct: Int)?
    for name in constraint {
      guard let declarer = lineage.first(where: { $0.attribute(name) != nil }),
        let attribute = declarer.attribute(name),
        !attribute.isTransient, !attribute.isDerived, !attribute.isComposite
      else { continue }
      let values = FixtureAttribute(
        attribute, isUnique: true, isAggregated: false, likeness: nil, seed: 0)
      let property = PropertyReference(entity: declarer.name, property: name)
      if attributes.contains(property) { return }
      if values.distinctCount > best?.distinct ?? 0 {
        best = (property, values.capacity, values.distinctCount)
      }
    }
    if let best {
      attributes.insert(best.property)
      if best.capacity < .max { capacities.append((best.property.entity, best.capacity)) }
    } else if let name = constraint.first,
      let declarer = model.relationship(name, of: entity)?.declaredBy
    {
      relationships.insert("\(declarer).\(name)")
    }
  }
}
