internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Sets the positions of members of ordered relationships, and removes surplus ones.
struct OrderFixer {
  private let context: RepairContext
  /// The lists that were fixed because of earlier findings.
  private let mended = MendedSubjects<MendedList>()

  private struct MendedList: Hashable {
    let ordered: Int
    let owner: Int64
    let code: FindingCode
  }

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = context.object(finding) else {
      return .unknownRelationship
    }
    let index = try context.reference(finding, of: object)
    if finding.code == .surplusOrderKey { return try removeKey(index, of: object) }
    var lists = try pairLists(finding, of: object)
    if let index, let ordered = context.schema.orderOfReference[index],
      let owner = try context.editor.destination(index, of: object)
    {
      lists.append((ordered, owner))
    }
    let defect: ObjectEditor.OrderDefect =
      switch finding.code {
      case .duplicateOrderKey: .clashing
      case .missingOrderKey: .missing
      default: .invalid
      }
    var isChanged = false
    let new = lists.map { MendedList(ordered: $0.ordered, owner: $0.owner, code: finding.code) }
      .filter { mended.count($0) == nil }
    for list in new {
      if try context.editor.mendOrder(list.ordered, of: list.owner, defect) { isChanged = true }
    }
    for list in new { mended.note(list) }
    guard isChanged else { return .settled }
    return .repaired(defect == .clashing ? "give it another position" : "move it to the end")
  }

  /// Removes the position of an object that is in no list.
  private func removeKey(_ index: Int?, of object: StoredObject) throws(CofferError) -> FixOutcome {
    guard let index, let column = context.schema.references[index].orderColumn else {
      return .unknownRelationship
    }
    guard try !context.editor.hasValue(context.schema.references[index].column, of: object),
      try context.editor.set(.null, column: column, of: object)
    else { return .settled }
    return .repaired("remove the position")
  }

  /// The ordered many-to-many relationships that contain a finding's object, each with its owners.
  private func pairLists(
    _ finding: Finding, of object: StoredObject
  ) throws(CofferError) -> [(ordered: Int, owner: Int64)] {
    guard let property = finding.propertyName,
      let entity = try context.editor.entityNumber(of: object)
    else { return [] }
    var found: [(ordered: Int, owner: Int64)] = []
    for (index, pairs) in context.schema.pairs.enumerated() {
      for (end, member) in pairs.ends.enumerated() {
        guard member.table == object.table, member.property.property == property,
          context.schema.numbers(below: member.property.entity).contains(entity),
          let ordered = context.schema.orderOfPairs[[index, 1 - end]]
        else { continue }
        for owner in try context.editor.partners(of: object.key, at: end, in: index) {
          found.append((ordered, owner))
        }
      }
    }
    return found
  }
}
