internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Unsets dangling and invalid references; a one-to-one relationship with one reference from the other
/// side gets that object instead.
struct ReferenceFixer: Fixer {
  static let codes: Set<FindingCode> = [.danglingRelationship, .invalidReference]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try context.relationship(finding) else {
      return .unknownRelationship
    }
    guard try context.destination(index, of: object) == nil else { return .settled }
    if let partner = context.schema.references[index].partner,
      case let holders = try context.editor.holders(of: object, in: partner), holders.count == 1
    {
      try context.editor.set(index, of: object, to: holders[0].key)
      return .repaired("set it to the object that leads to it")
    }
    return try context.unset(index, of: object)
  }
}

/// Unsets one-to-one relationships whose destination has a mutual relationship with another object.
struct MismatchFixer: Fixer {
  static let codes: Set<FindingCode> = [.inverseMismatch]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try context.relationship(finding),
      let partner = context.schema.references[index].partner
    else { return .unknownRelationship }
    guard let destination = try context.destination(index, of: object),
      let back = try context.editor.destination(partner, of: destination), back != object.key
    else { return .settled }
    // The other side only counts if it is in order.
    guard let other = try context.destination(partner, of: destination),
      let entity = try context.editor.entityNumber(of: other),
      context.schema.references[index].holders.contains(entity),
      try context.editor.destination(index, of: other) == destination.key
    else { return .refused("the other side is broken itself") }
    return try context.unset(index, of: object)
  }
}

/// Sets the inverse of a one-to-one relationship, if nothing else leads to the destination.
struct InverseFixer: Fixer {
  static let codes: Set<FindingCode> = [.inverseMissing]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try context.relationship(finding),
      let partner = context.schema.references[index].partner
    else { return .unknownRelationship }
    guard let destination = try context.destination(index, of: object) else { return .settled }
    let inverse = context.schema.references[partner]
    guard try !context.editor.hasValue(inverse.column, of: destination) else { return .settled }
    guard try context.editor.holders(of: destination, in: index).count == 1 else {
      return .refused("several objects lead to the other one")
    }
    guard let entity = try context.editor.entityNumber(of: destination),
      inverse.holders.contains(entity)
    else { return .refused("the other object lacks the relationship") }
    try context.editor.set(partner, of: destination, to: object.key)
    return .repaired("set the inverse of the other object")
  }
}

/// Stores the entity of the destination with a relationship.
struct StoredEntityFixer: Fixer {
  static let codes: Set<FindingCode> = [.wrongDestinationEntity]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let (object, index) = try context.relationship(finding) else {
      return .unknownRelationship
    }
    if try context.editor.destination(index, of: object) != nil {
      guard let destination = try context.destination(index, of: object) else {
        return .refused("the destination does not exist")
      }
      guard try isAllowed(destination, in: index) else {
        return .refused("the destination is not of an entity that the relationship allows")
      }
    }
    return try context.editor.storeEntity(of: index, of: object)
      ? .repaired("store the entity of the destination") : .settled
  }

  /// Whether an object can belong to the entity that its row names: otherwise, the entity may be the
  /// defect.
  private func isAllowed(
    _ destination: StoredObject, in reference: Int
  ) throws(CofferError) -> Bool {
    guard let relationship = context.schema.references[reference].relationship,
      let entity = try context.editor.entityNumber(of: destination),
      context.schema.numbers(below: relationship.destinationName).contains(entity)
    else { return false }
    let layout = context.store.layout
    return layout.numbering.name(of: entity).flatMap { layout.model[$0] }?.isAbstract == false
  }
}
