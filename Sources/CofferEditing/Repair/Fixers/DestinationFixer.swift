internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Takes objects out of relationships that do not allow their entities.
struct DestinationFixer: Fixer {
  static let codes: Set<FindingCode> = [.wrongDestination]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    if let source = finding.objectID, let pairs = context.pairs(finding) {
      let count = try context.editor.removePairs(
        of: source.primaryKey, from: pairs, where: .entityIsNotAllowed)
      guard count > 0 else { return .settled }
      return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
    }
    guard let (object, index) = try context.relationship(finding) else {
      return .unknownRelationship
    }
    guard let destination = try context.destination(index, of: object),
      try !isAllowed(index, from: object, to: destination)
    else { return .settled }
    return try context.unset(index, of: object)
  }

  private func isAllowed(
    _ index: Int, from object: StoredObject, to destination: StoredObject
  ) throws(CofferError) -> Bool {
    let reference = context.schema.references[index]
    let top = reference.relationship?.destinationName ?? reference.inverse?.entity
    guard let top, let holder = try context.editor.entityNumber(of: object),
      let entity = try context.editor.entityNumber(of: destination)
    else { return false }
    return reference.holders.contains(holder)
      && context.schema.numbers(below: top).contains(entity)
  }
}
