/// Whether a relationship may keep its destinations.
enum DestinationFit {
  /// It may keep all that still exist.
  case fits
  /// Some belong to another entity, given by its new name.
  case other(String)
  /// None of them exists any longer.
  case gone
}

extension MappingInference {
  /// Maps a relationship, and records the problems that make this impossible.
  mutating func relationshipChanges(
    _ mapping: PropertyMapping
  ) throws(CofferError) -> [PropertyMapping.Change] {
    guard let place = mapping.destination,
      let new = destination[place.entity]?.relationship(place.property)
    else { return [] }
    guard destination[new.destinationName] != nil,
      new.inverseName == nil || destination.inverse(of: new) != nil
    else {
      noteIncompleteModel(place)
      return []
    }
    guard let oldPlace = mapping.source else {
      try requireCounts(new, at: place, from: nil)
      return []
    }
    guard let old = source[oldPlace.entity]?.relationship(oldPlace.property) else {
      return []
    }
    var changes: [PropertyMapping.Change] = []
    if oldPlace.property != place.property { changes.append(.renamed) }
    if hasMoved(mapping) { changes.append(.moved) }
    if old.isOptional != new.isOptional {
      changes.append(new.isOptional ? .madeOptional : .madeRequired)
    }
    if old.isToMany != new.isToMany { changes.append(new.isToMany ? .madeToMany : .madeToOne) }
    if new.isToMany, old.isToMany || new.isOrdered, old.isOrdered != new.isOrdered {
      changes.append(new.isOrdered ? .madeOrdered : .madeUnordered)
    }
    if destinationNames[old.destinationName] != new.destinationName {
      changes.append(.changedDestination(from: old.destinationName, to: new.destinationName))
    }
    try checkDestination(old, new, at: place)
    if checkInverse(old, new, at: place) {
      changes.append(.changedInverse(from: old.inverseName, to: new.inverseName))
    }
    try requireCounts(new, at: place, from: old)
    return changes
  }

  private mutating func noteIncompleteModel(_ place: PropertyReference) {
    note(
      .incompleteModel, entity: place.entity, property: place.property,
      "its destination or inverse is not in the new model", remedy: "Give a complete model.")
  }

  // MARK: Destinations

  private mutating func checkDestination(
    _ old: RelationshipDescription, _ new: RelationshipDescription, at place: PropertyReference
  ) throws(CofferError) {
    let problem: String
    switch try fit(of: old.destinationName, to: new.destinationName) {
    case .fits: return
    case .gone:
      if destination[new.destinationName].map({ sourceNames[$0.name] == nil }) ?? true {
        // Its old destination was removed and its new one was added: there is nothing to migrate.
        problem = "its destination was \(old.destinationName), which is not in the new model"
      } else {
        problem = "its destination was \(old.destinationName) and is now \(new.destinationName)"
      }
    case .other(let name):
      problem =
        "its destination is \(new.destinationName), but some old destinations are now \(name)"
    }
    note(
      .changedDestination, entity: place.entity, property: place.property, problem,
      remedy: .sentence(
        "Give the new relationship its own name and renaming identifier. The "
          + "old references are then not carried over."))
  }

  /// Whether the objects of an old entity and its subentities now belong to a new entity and its
  /// subentities.
  private mutating func fit(of old: Name, to new: Name) throws(CofferError) -> DestinationFit {
    if let known = lookedAt[[old, new]] { return known }
    var fit = DestinationFit.gone
    for entity in source.tree(of: old) where !entity.isAbstract {
      try spend(1)
      guard let name = destinationNames[entity.name] else { continue }
      guard destination.isEntity(name, kindOf: new) else {
        fit = .other(name.text)
        break
      }
      fit = .fits
    }
    if case .gone = fit, destinationNames[old] == new { fit = .fits }
    lookedAt[[old, new]] = fit
    return fit
  }

  /// Whether relationships of the hierarchy lead to objects that are dropped.
  private mutating func mayLoseDestinations(
    _ relationship: RelationshipDescription
  ) throws(CofferError) -> Bool {
    let tree = source.tree(of: relationship.destinationName)
    try spend(tree.count)
    return tree.contains { !$0.isAbstract && destinationNames[$0.name] == nil }
  }

  // MARK: Inverses

  /// Checks that two relationships that are each other's inverse have one set of values.
  ///
  /// - Returns: whether the inverse changed.
  private mutating func checkInverse(
    _ old: RelationshipDescription, _ new: RelationshipDescription, at place: PropertyReference
  ) -> Bool {
    let before = source.inverse(of: old).map {
      PropertyReference(entity: $0.declaredBy, property: $0.relationship.name)
    }
    let after = destination.inverse(of: new).map {
      PropertyReference(entity: $0.declaredBy, property: $0.relationship.name)
    }
    guard let after else { return before != nil }
    let feeding = origins[after] ?? []
    if let before, feeding.contains(before) { return false }
    if !feeding.isEmpty {
      note(
        .changedInverse, entity: place.entity, property: place.property,
        "its inverse is now \(after.entity).\(after.property), and both had their own "
          + "values, which may disagree",
        remedy: .sentence(
          "Give one of the two its own name and renaming identifier. It then gets "
            + "the values of the other."))
    }
    return true
  }

  // MARK: Counts

  /// Adds the conditions on the number of destinations that are new in the new model.
  private mutating func requireCounts(
    _ new: RelationshipDescription, at place: PropertyReference, from old: RelationshipDescription?
  ) throws(CofferError) {
    let allowed = new.allowedCount
    var known: DestinationCount
    if let old {
      known = old.allowedCount
      if try mayLoseDestinations(old) { (known.minimum, known.mayBeEmpty) = (0, true) }
    } else {
      known = countOfInverse(of: new)
    }
    guard !allowed.includes(known) else { return }
    require(
      MappingCondition(.destinationCount(allowed), entity: place.entity, property: place.property))
  }

  /// The number of destinations of a new relationship that gets the values of its inverse.
  private func countOfInverse(of relationship: RelationshipDescription) -> DestinationCount {
    let none = DestinationCount(minimum: 0, maximum: 0, mayBeEmpty: true)
    guard let inverse = destination.inverse(of: relationship) else { return none }
    let feeding = origins[
      PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)]
    guard let feeding, !feeding.isEmpty else { return none }
    let isOfOneOwner = feeding.allSatisfy { origin in
      guard let old = source[origin.entity]?.relationship(origin.property) else {
        return false
      }
      // A to-many relationship without an inverse is kept with its destinations, one owner each.
      return source.inverse(of: old).map { !$0.relationship.isToMany } ?? old.isToMany
    }
    return DestinationCount(minimum: 0, maximum: isOfOneOwner ? 1 : nil, mayBeEmpty: true)
  }
}
