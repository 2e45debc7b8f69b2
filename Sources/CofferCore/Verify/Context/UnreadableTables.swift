internal import CoreDataLayout
internal import CoreDataModel

/// The tables that could not be read to their ends, and the findings that may follow from that.
struct UnreadableTables {
  /// The codes of findings that come from comparing rows with others.
  private static let codes: Set<FindingCode> = [
    .danglingRelationship, .danglingPair, .danglingReflexivePair, .inverseMismatch,
    .inverseMissing, .tooFewDestinations, .derivedValueMismatch, .spatialIndexMismatch,
    .primaryKeyCounterBehind, .changeBeyondCounter,
  ]
  private static let historyCodes: Set<FindingCode> = [
    .changeWithoutTransaction, .danglingHistoryString,
  ]

  private let model: ManagedObjectModel
  private var roots: Set<Name> = []
  private var relationships: Set<Name> = []
  private var hasHistory = false
  /// The number of findings that may follow.
  private(set) var count = 0

  init(_ model: ManagedObjectModel) { self.model = model }

  mutating func add(_ table: TableLayout) {
    switch table.kind {
    case .entity: if let name = table.entityName { roots.insert(name) }
    case .relationship:
      if let name = table.relationshipName { relationships.insert(name) }
    default: hasHistory = hasHistory || table.kind == .history
    }
  }

  /// Counts a finding if it may follow from an unreadable table; returns whether it was counted.
  mutating func take(_ code: FindingCode, _ entity: Name?, _ property: Name?) -> Bool {
    guard follows(code, entity, property) else { return false }
    count += 1
    return true
  }

  private func follows(_ code: FindingCode, _ entity: Name?, _ property: Name?) -> Bool {
    if Self.historyCodes.contains(code) { return hasHistory }
    if code == .orphanedExternalData { return !roots.isEmpty }
    guard !roots.isEmpty || !relationships.isEmpty, Self.codes.contains(code), let entity else {
      return false
    }
    if isUnreadable(entity) { return true }
    guard let property else { return false }
    // The sources of a derived attribute or an index are unknown.
    guard let relationship = model.relationship(property, of: entity)?.relationship else {
      return ![.primaryKeyCounterBehind, .changeBeyondCounter].contains(code)
    }
    return isUnreadable(relationship.destinationName)
      || relationships.contains(property)
      || relationship.inverseName.map { relationships.contains($0) } ?? false
  }

  private func isUnreadable(_ entity: Name) -> Bool {
    roots.contains(model.root(of: entity)?.name ?? entity)
  }
}
