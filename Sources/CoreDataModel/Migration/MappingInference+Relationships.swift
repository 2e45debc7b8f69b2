/// Whether the objects that a relationship led to are ones that it may lead to.
enum DestinationFit {
  /// All of them are; some may be gone.
  case fits
  /// Some are of another entity, with its new name.
  case other(String)
  /// There are none any more.
  case gone
}

extension MappingInference {
  /// What becomes of a relationship; what cannot be is noted.
  mutating func relationshipChanges(
    _ mapping: PropertyMapping
  ) throws(CofferError) -> [PropertyMapping.Change] {
    guard let place = mapping.destination,
      let new = destination[place.entityName]?.relationship(place.propertyName)
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
    guard let old = source[oldPlace.entityName]?.relationship(oldPlace.propertyName) else {
      return []
    }
    var changes: [PropertyMapping.Change] = []
    if oldPlace.propertyName != place.propertyName { changes.append(.renamed) }
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

  private mutating func noteIncompleteModel(_ place: PropertyPlace) {
    note(
      MappingProblem(
        .incompleteModel, entity: place.entityName, property: place.propertyName,
        "its destination or its inverse is not in the new model",
        remedy: "Give a model that is complete."))
  }

  // MARK: Destinations

  private mutating func checkDestination(
    _ old: RelationshipDescription, _ new: RelationshipDescription, at place: PropertyPlace
  ) throws(CofferError) {
    let problem: String
    switch try fit(of: old.destinationName, to: new.destinationName) {
    case .fits: return
    case .gone:
      if destination[new.destinationName].map({ sourceNames[$0.name] == nil }) ?? true {
        // What it led to is gone, and what it leads to is new: there is nothing to be carried over.
        problem = "it led to \(old.destinationName), which the new model lacks"
      } else {
        problem = "it led to \(old.destinationName) and leads to \(new.destinationName)"
      }
    case .other(let name):
      problem = "it leads to \(new.destinationName), and objects that it led to are \(name)"
    }
    note(
      MappingProblem(
        .changedDestination, entity: place.entityName, property: place.propertyName, problem,
        remedy: .sentence(
          "Give the new relationship a name and a renaming identifier of its own; then the "
            + "old references are left behind.")))
  }

  /// Whether the objects of an old entity and of those below it are now of a new entity or of those
  /// below it.
  private mutating func fit(
    of old: String, to new: String
  ) throws(CofferError) -> DestinationFit {
    if let known = lookedAt[[old, new]] { return known }
    var fit = DestinationFit.gone
    for entity in source.tree(of: old) where !entity.isAbstract {
      try spend(1)
      guard let name = destinationNames[entity.name] else { continue }
      guard destination.isEntity(name, kindOf: new) else {
        fit = .other(name)
        break
      }
      fit = .fits
    }
    if case .gone = fit, destinationNames[old] == new { fit = .fits }
    lookedAt[[old, new]] = fit
    return fit
  }

  /// Whether relationships of the hierarchy lead to objects that are left behind.
  private mutating func mayLoseDestinations(
    _ relationship: RelationshipDescription
  ) throws(CofferError) -> Bool {
    let tree = source.tree(of: relationship.destinationName)
    try spend(tree.count)
    return tree.contains { !$0.isAbstract && destinationNames[$0.name] == nil }
  }

  // MARK: Inverses

  /// Makes sure that two relationships that are each other's inverse have one set of values.
  ///
  /// - Returns: whether the inverse is another one.
  private mutating func checkInverse(
    _ old: RelationshipDescription, _ new: RelationshipDescription, at place: PropertyPlace
  ) -> Bool {
    let before = source.inverse(of: old).map {
      PropertyPlace(entity: $0.declaredBy, property: $0.relationship.name)
    }
    let after = destination.inverse(of: new).map {
      PropertyPlace(entity: $0.declaredBy, property: $0.relationship.name)
    }
    guard let after else { return before != nil }
    let feeding = origins[after] ?? []
    if let before, feeding.contains(before) { return false }
    if !feeding.isEmpty {
      note(
        MappingProblem(
          .changedInverse, entity: place.entityName, property: place.propertyName,
          "its inverse is \(after.entityName).\(after.propertyName), and both had values of their "
            + "own that need not agree",
          remedy: .sentence(
            "Give one of the two a name and a renaming identifier of its own; then it gets "
              + "the values of the other.")))
    }
    return true
  }

  // MARK: Counts

  /// Requires what the new model asks of the number of destinations and the old one did not.
  private mutating func requireCounts(
    _ new: RelationshipDescription, at place: PropertyPlace, from old: RelationshipDescription?
  ) throws(CofferError) {
    let minimum = new.isOptional ? 0 : max(new.minCount, 1)
    let maximum: Int? = new.maxCount > 0 ? new.maxCount : nil
    var known: (minimum: Int, maximum: Int?) = (0, 0)
    if let old {
      let mayLose = try mayLoseDestinations(old)
      known.minimum = old.isOptional || mayLose ? 0 : max(old.minCount, 1)
      known.maximum = old.maxCount > 0 ? old.maxCount : nil
    } else {
      known = countsOfInverse(of: new)
    }
    let isEnough = known.minimum >= minimum
    let isFew = maximum.map { limit in known.maximum.map { $0 <= limit } ?? false } ?? true
    guard !isEnough || !isFew else { return }
    require(
      MappingCondition(
        .destinationCount(minimum: minimum, maximum: maximum), entity: place.entityName,
        property: place.propertyName))
  }

  /// How many destinations a new relationship can have, which gets the values of its inverse.
  private func countsOfInverse(
    of relationship: RelationshipDescription
  ) -> (minimum: Int, maximum: Int?) {
    guard let inverse = destination.inverse(of: relationship) else { return (0, 0) }
    let feeding = origins[
      PropertyPlace(entity: inverse.declaredBy, property: inverse.relationship.name)]
    guard let feeding, !feeding.isEmpty else { return (0, 0) }
    let isOfOneOwner = feeding.allSatisfy { origin in
      guard let old = source[origin.entityName]?.relationship(origin.propertyName) else {
        return false
      }
      // A to-many relationship without an inverse is kept with its destinations, one owner each.
      return source.inverse(of: old).map { !$0.relationship.isToMany } ?? old.isToMany
    }
    return (0, isOfOneOwner ? 1 : nil)
  }
}
