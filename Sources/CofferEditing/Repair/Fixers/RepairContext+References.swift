internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Fixes of references.
extension RepairContext {
  /// Unsets dangling and invalid references; a one-to-one relationship with one reference from the other
  /// side gets that object instead.
  func mendReference(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try relationship(finding) else {
      return .unknownRelationship
    }
    guard try destination(index, of: object) == nil else { return .settled }
    if let partner = schema.references[index].partner,
      case let holders = try editor.holders(of: object, in: partner), holders.count == 1
    {
      try editor.set(index, of: object, to: holders[0].key)
      return .repaired("set it to the object that leads to it")
    }
    return try unset(index, of: object)
  }

  /// Takes objects out of relationships that do not allow their entities.
  func removeDestination(_ finding: Finding) throws(CofferError) -> FixOutcome {
    if let source = finding.objectID, let pairs = pairs(finding) {
      let count = try editor.removePairs(
        of: source.primaryKey, from: pairs, where: .entityIsNotAllowed)
      guard count > 0 else { return .settled }
      return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
    }
    guard let (object, index) = try relationship(finding) else {
      return .unknownRelationship
    }
    guard let destination = try destination(index, of: object),
      try !allows(index, from: object, to: destination)
    else { return .settled }
    return try unset(index, of: object)
  }

  private func allows(
    _ index: Int, from object: StoredObject, to destination: StoredObject
  ) throws(CofferError) -> Bool {
    let reference = schema.references[index]
    let top = reference.relationship?.destinationName ?? reference.inverse?.entity
    guard let top, let holder = try editor.entityNumber(of: object),
      let entity = try editor.entityNumber(of: destination)
    else { return false }
    return reference.holders.contains(holder)
      && schema.numbers(below: top).contains(entity)
  }

  /// Unsets one-to-one relationships whose destination has a mutual relationship with another object.
  func unsetMismatch(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try relationship(finding),
      let partner = schema.references[index].partner
    else { return .unknownRelationship }
    guard let destination = try destination(index, of: object),
      let back = try editor.destination(partner, of: destination), back != object.key
    else { return .settled }
    // The other side only counts if it is in order.
    guard let other = try self.destination(partner, of: destination),
      let entity = try editor.entityNumber(of: other),
      schema.references[index].holders.contains(entity),
      try editor.destination(index, of: other) == destination.key
    else { return .refused("the other side is broken itself") }
    return try unset(index, of: object)
  }

  /// Sets the inverse of a one-to-one relationship, if nothing else leads to the destination.
  func setInverse(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try relationship(finding),
      let partner = schema.references[index].partner
    else { return .unknownRelationship }
    guard let destination = try destination(index, of: object) else { return .settled }
    let inverse = schema.references[partner]
    guard try !editor.hasValue(inverse.column, of: destination) else { return .settled }
    guard try editor.holders(of: destination, in: index).count == 1 else {
      return .refused("several objects lead to the other one")
    }
    guard let entity = try editor.entityNumber(of: destination),
      inverse.holders.contains(entity)
    else { return .refused("the other object lacks the relationship") }
    try editor.set(partner, of: destination, to: object.key)
    return .repaired("set the inverse of the other object")
  }

  func storeEntity(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try relationship(finding) else {
      return .unknownRelationship
    }
    if try editor.destination(index, of: object) != nil {
      guard let destination = try destination(index, of: object) else {
        return .refused("the destination does not exist")
      }
      guard try mayBeOfItsEntity(destination, in: index) else {
        return .refused("the destination is not of an entity that the relationship allows")
      }
    }
    return try editor.storeEntity(of: index, of: object)
      ? .repaired("store the entity of the destination") : .settled
  }

  /// Whether an object can belong to the entity that its row names: otherwise, the entity may be the
  /// defect.
  private func mayBeOfItsEntity(
    _ destination: StoredObject, in reference: Int
  ) throws(CofferError) -> Bool {
    guard let relationship = schema.references[reference].relationship,
      let entity = try editor.entityNumber(of: destination),
      schema.numbers(below: relationship.destinationName).contains(entity)
    else { return false }
    let layout = store.layout
    return layout.numbering.name(of: entity).flatMap { layout.model[$0] }?.isAbstract == false
  }
}
