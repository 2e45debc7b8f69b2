internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Turns the differences between an older and a newer state of a store into findings.
final class OlderComparison<Older: RowSource, Newer: RowSource> {
  /// How many objects an entity must have lost, beside more than half of them, to be reported.
  private let leastLoss = 10

  private let older: Older
  private let newer: Newer
  private let filter: FindingFilter
  private let isSameStore: Bool
  /// Whether nobody knows which columns Core Data writes without counting.
  private let isInferred: Bool
  /// The entities whose counter of primary keys is another than before.
  private var movedCounters: Set<ExactString> = []
  /// The properties whose changes have to be counted, by entity; only for entities of the model.
  private var counted: [ExactString: CountedProperties] = [:]

  init(_ older: Older, _ newer: Newer, _ filter: FindingFilter) throws {
    self.older = older
    self.newer = newer
    self.filter = filter
    isInferred = [older.model, newer.model].contains { $0.source == .inferred }
    isSameStore = try older.metadata().uuid == newer.metadata().uuid
  }

  /// Does all of it.
  ///
  /// - Returns: what could not be compared, and why; nil where all was.
  func complete(
    _ options: ComparisonOptions, _ progress: any ProgressReporter
  ) throws -> String? {
    if !isSameStore { try report(Finding(.storeUUIDChanged)) }
    // Such a migration hands out primary keys and version counters anew.
    if !isSameStore, older.model != newer.model {
      return "the store has another UUID and another model than the older one"
    }
    let tables = TableComparison(
      older, newer, options: options, progress: progress, onDifference: { try self.take($0) })
    let summary = try tables.complete()
    try older.requireUnchanged()
    try newer.requireUnchanged()
    for counts in summary.rootCounts { try checkLoss(counts) }
    return isInferred
      ? "changes without a version: the model is only inferred from the tables" : nil
  }

  private func report(_ finding: Finding) throws {
    try older.requireUnchanged()
    try newer.requireUnchanged()
    try filter.report(finding)
  }

  private func take(_ difference: Difference) throws {
    switch difference {
    case .store(let store) where store.subject == .primaryKeyCounter: try take(store)
    case .object(let object) where object.kind == .changed: try take(object)
    default: break
    }
  }

  private func take(_ counter: StoreDifference) throws {
    movedCounters.insert(counter.name)
    guard let old = counter.oldValue.flatMap({ Int64($0) }),
      let new = counter.newValue.flatMap({ Int64($0) }), new < old
    else { return }
    try report(
      Finding(
        .counterWentBackwards, entityName: counter.name, detail: "it was \(old) and is \(new)"))
  }

  private func take(_ object: ObjectDifference) throws {
    if let version = object.properties.first(where: { $0.subject == .version }) {
      guard let old = version.oldValue.flatMap({ Int64($0) }),
        let new = version.newValue.flatMap({ Int64($0) }), new < old
      else { return }
      try report(
        Finding(
          .versionWentBackwards, objectID: object.objectID, detail: "it was \(old) and is \(new)"))
    } else if !isInferred {
      let counted = counted(object.objectID.entityName)
      let names = object.properties.filter(counted.contains)
        .map { $0.subject == .entity ? "the entity" : $0.name }
      if names.isEmpty { return }
      let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
      try report(
        Finding(.changedWithoutVersion, objectID: object.objectID, detail: shown))
    }
  }

  private func counted(_ entity: String) -> CountedProperties {
    if let known = counted[entity] { return known }
    let properties = CountedProperties(of: entity, older.model, newer.model)
    if newer.model[entity] != nil { counted[entity] = properties }
    return properties
  }

  private func checkLoss(_ counts: ComparisonSummary.RootCounts) throws {
    let lost = counts.first - counts.second
    guard lost >= leastLoss, lost > counts.second, !movedCounters.contains(counts.name) else {
      return
    }
    try report(
      Finding(
        .silentWipe, entityName: counts.name,
        detail: "there were \(counts.first) objects and are \(counts.second)"))
  }
}

/// The properties of an entity whose changes Core Data counts in the version counter of the object.
///
/// It counts a save of the object's own attributes and of its to-one relationships; a change from the
/// relationship's other end, such as a deletion that nullifies it, is a change of both. It does not
/// count what it writes into the object's row for the sake of others: positions in ordered
/// relationships, owners in relationships without inverse, and what triggers compute. A property that
/// one of two models lacks or that is of another kind there was changed by the migration, which does
/// not count either.
struct CountedProperties {
  private let attributes: Set<ExactString>
  private let relationships: Set<ExactString>

  /// Finds the properties that an entity has in both models.
  init(of entity: String, _ older: ManagedObjectModel, _ newer: ManagedObjectModel) {
    let before = Dictionary(
      older.allAttributes(of: entity).map { (ExactString($0.name), $0) }
    ) { $1 }
    attributes =
      newer.allAttributes(of: entity).filter { attribute in
        guard let old = before[attribute.name] else { return false }
        return Self.isCounted(attribute) && Self.isCounted(old) && old.type == attribute.type
      }.map(\.name).exactStrings
    let known = Dictionary(
      older.allRelationships(of: entity).map { (ExactString($0.name), $0) }
    ) { $1 }
    relationships =
      newer.allRelationships(of: entity).filter {
        guard let old = known[$0.name] else { return false }
        return !$0.isToMany && !old.isToMany
          && old.destinationName.hasSameBytes(as: $0.destinationName)
      }.map(\.name).exactStrings
  }

  /// Whether a difference should have been counted.
  func contains(_ difference: PropertyDifference) -> Bool {
    switch difference.subject {
    case .attribute:
      // Elements of composite attributes stand behind a point.
      attributes.contains(String(difference.name.prefix { $0 != "." }))
    case .relationship: relationships.contains(difference.name)
    case .entity: true
    case .order, .owner, .version, .column: false
    }
  }

  /// The user info of an attribute that a trigger counts, as Photos has them.
  private static let triggerKey = "NSTriggerKey"

  private static func isCounted(_ attribute: AttributeDescription) -> Bool {
    !attribute.isDerived && attribute.userInfo[triggerKey] == nil
  }
}
