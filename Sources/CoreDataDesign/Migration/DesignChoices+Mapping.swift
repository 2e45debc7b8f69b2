package import CoreDataModel
internal import CoreDataStore

extension DesignChoices {
  /// The choices that hold for the store of another model.
  ///
  /// Which relationship names a table, and which gets the number after a name, depends on the
  /// properties of the entity in an order that only Core Data knows. The choice is the same for the
  /// same properties, but may change if an unrelated property is added (store-format, section 5.5).
  /// So a choice is valid if the entities that declare the two relationships, and their
  /// superentities, have the same properties.
  ///
  /// The order of columns stays where a mapping has the relationships; Core Data finds them by their names.
  ///
  /// - Parameters:
  ///   - old: the model of the store that these choices are from.
  ///   - new: the model of the new store.
  ///   - mapping: the mapping between the relationships.
  /// - Returns: the choices, with the entities and properties of the new model.
  package func holding(
    from old: ManagedObjectModel, for new: ManagedObjectModel, by mapping: ModelMapping
  ) -> DesignChoices {
    var places: [PropertyReference: Set<PropertyReference>] = [:]
    for property in mapping.entities.flatMap(\.properties) {
      guard property.kind == .relationship, let old = property.source,
        let new = property.destination
      else { continue }
      places[old, default: []].insert(new)
    }
    var choices = named(in: old, asIn: new)
    for (place, position) in columnOrder {
      for new in places[place] ?? [] { choices.columnOrder[new] = position }
    }
    return choices
  }

  /// These choices combined with the choices of an example, which come first; nil for no example.
  package func adding(_ example: DesignChoices?) -> DesignChoices {
    guard let example else { return self }
    var choices = self
    choices.namingSides.formUnion(example.namingSides)
    choices.columnSuffixes.merge(example.columnSuffixes) { $1 }
    if !example.columnOrder.isEmpty { choices.columnOrder = example.columnOrder }
    choices.triggers = example.triggers
    return choices
  }

  /// Takes the names of another store for what these choices leave open, whatever else has changed.
  package mutating func keepNames(of other: DesignChoices, in model: ManagedObjectModel) {
    for side in other.namingSides {
      guard let relationship = model[side.entity]?.relationship(side.property),
        let inverse = model.inverse(of: relationship)
      else { continue }
      let back = PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)
      if namingSides.isDisjoint(with: [side, back]) { namingSides.insert(side) }
    }
    let suffixes = other.columnSuffixes.filter { place, _ in
      model[place.entity]?.relationship(place.property) != nil
    }
    columnSuffixes.merge(suffixes) { current, _ in current }
  }

  /// The names of these choices that hold for another model; see ``holding(from:for:by:)``.
  private func named(in old: ManagedObjectModel, asIn new: ManagedObjectModel) -> DesignChoices {
    let difference = ModelDifference(of: old, and: new, scope: .versionHash)
    var changed = Set(difference.changes.map(\.entityName))
    for entity in new.entities
    where Set((old[entity.name]?.fetchedPropertyNames ?? []))
      != Set(entity.fetchedPropertyNames)
    {
      changed.insert(entity.name)
    }
    func isSame(_ place: PropertyReference) -> Bool {
      guard let relationship = new[place.entity]?.relationship(place.property) else { return false }
      let other = new.inverse(of: relationship)?.declaredBy
      return [place.entity, other].compactMap(\.self).allSatisfy { entity in
        new.lineage(of: entity).allSatisfy { !changed.contains($0.name) }
      }
    }
    var choices = DesignChoices()
    choices.includesHistory = includesHistory
    choices.namingSides = namingSides.filter(isSame)
    choices.columnSuffixes = columnSuffixes.filter { isSame($0.key) }
    return choices
  }

  /// Assumed choices for a model, to find the choices that it leaves open.
  private init(supposedFor model: ManagedObjectModel, numbering: EntityNumbering) {
    let pairs = JoinPairs(model: model, numbering: numbering).pairs
    namingSides = Set(pairs.map(\.first.reference))
    var counts: [PropertyReference: Int] = [:]
    for reference in pairs.flatMap({ [$0.first.reference, $0.second.reference] }) {
      counts[reference] = counts.count
    }
    columnSuffixes = counts.mapValues(String.init)
  }

  /// The choices that a store of the old model leaves open.
  ///
  /// - Parameters:
  ///   - new: the model of the new store.
  ///   - old: the model of the store that is known.
  ///   - example: the choices of a store of the new model; nil for none.
  /// - Returns: the problems that prevent the new store.
  package static func open(
    for new: ManagedObjectModel, knowing old: ManagedObjectModel, example: DesignChoices? = nil
  ) -> [UndecidedChoice] {
    let registry = EntityRegistry(numberedByRule: old, systemRows: [])
    let supposed = DesignChoices(
      supposedFor: old, numbering: EntityNumbering(model: old, registry: registry))
    let choices = supposed.named(in: old, asIn: new).adding(example)
    return StoreDesign(model: new, era: .newest, choices: choices).blocking
  }
}
