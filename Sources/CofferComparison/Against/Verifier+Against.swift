public import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

extension Verifier {
  /// Verifies a store or an archive, and then compares it with an older state of the same store, on the
  /// caller's thread.
  @discardableResult
  package func verify(
    _ path: String, against older: String, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    // Report a wrong name before the long work.
    _ = try SourceKind(ofFileAt: older)
    let filter = FindingFilter(options, receiver: onFinding)
    var summary = try verify(path, filter)
    guard options.runs(.against) else { return summary }
    if let reason = try compare(path, older, filter) {
      filter.notRun.insert(.against)
      let detail = "\(CheckName.against.rawValue): \(reason)"
      try filter.report(Finding(.checkNotRun, detail: detail))
      summary.checksNotRun = CheckName.withOwn.filter(filter.notRun.contains)
    } else {
      let ran = Set(summary.checks + [.against])
      summary.checks = CheckName.withOwn.filter(ran.contains)
    }
    try filter.reportRest()
    summary.counts = filter.counts
    return summary
  }

  /// Compares the states.
  ///
  /// Returns the part that was not possible, with the reason, or nil.
  private func compare(_ path: String, _ older: String, _ filter: FindingFilter) throws -> String? {
    // A model other than the store's is a finding.
    var options = ComparisonOptions(environment: options.environment.acceptingAnyModel)
    (options.includesCounters, options.isLimitedToObjects) = (true, true)
    options.matchesByObjectID = true
    let run = ComparisonRun(options: options, progress: progress)
    let places = [path, (try? FileNames.resolve(path)) ?? path].flatMap { [$0, $0 + "-wal"] }
    do {
      return try run.open(
        older, path, for: AgainstOlder(filter: filter, options: options, progress: progress))
    } catch let error as CofferError where places.contains(error.place.path) {
      // The verification has already reported the cause.
      switch try SourceKind(ofFileAt: path) {
      case .archive, .changes: return "the archive cannot be read: \(error.code.text)"
      case .store where error.code == .damagedStore:
        return "the store cannot be read: \(error.code.text)"
      case .store: throw error
      }
    }
  }
}

private struct AgainstOlder: SourcePairUse {
  let filter: FindingFilter
  let options: ComparisonOptions
  let progress: any ProgressReporter

  func use(_ older: some RowSource, _ newer: some RowSource) throws -> String? {
    try OlderComparison(older, newer, filter).complete(options, progress)
  }
}

extension Verifier {
  /// Verifies a store or an archive, then compares it with an older state of the same store.
  ///
  /// Each may be a store or an archive. Objects that only one of them has are normal. The
  /// comparison looks for changes that Core Data itself never makes: counters that decreased,
  /// values that changed without a new version, an entity that lost most of its objects. The
  /// findings of the comparison come last.
  ///
  /// - Parameters:
  ///   - path: the file to verify.
  ///   - older: the file to compare with, which is not verified.
  ///   - onFinding: called for every finding. If it throws, the work ends with that error.
  /// - Returns: the numbers of objects and findings. If the comparison was impossible or incomplete
  ///   because a migration rewrote the store, its model is unknown or the verified file is damaged,
  ///   a finding says so.
  /// - Throws: the same errors as `verify(_:onFinding:)` for a path, also for the older file.
  @discardableResult
  public func verify(
    _ path: String, against older: String, onFinding: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) {
      try verify(path, against: older, onFinding: onFinding)
    }
  }
}

/// Turns the differences between an older and a newer state of a store into findings.
final class OlderComparison<Older: RowSource, Newer: RowSource> {
  private let older: Older
  private let newer: Newer
  private let filter: FindingFilter
  private let isSameStore: Bool
  /// Whether it is unknown which columns Core Data writes without counting.
  private let isInferred: Bool
  /// The properties whose changes are counted, by entity; only for entities of the model.
  private var counted: [Name: CountedProperties] = [:]

  init(_ older: Older, _ newer: Newer, _ filter: FindingFilter) throws {
    self.older = older
    self.newer = newer
    self.filter = filter
    isInferred = [older.model, newer.model].contains { $0.source == .inferred }
    isSameStore = try older.metadata().uuid == newer.metadata().uuid
  }

  /// Runs the verification.
  ///
  /// - Returns: the parts that could not be compared, with the reason; nil if everything was compared.
  func complete(_ options: ComparisonOptions, _ progress: any ProgressReporter) throws -> String? {
    if !isSameStore { try report(Finding(.storeUUIDChanged)) }
    // Such a migration assigns new primary keys and version counters.
    if !isSameStore, older.model != newer.model {
      return "the store has another UUID and another model than the older one"
    }
    let tables = try TableComparison(
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
    guard let old = counter.oldValue.flatMap({ Int64($0) }),
      let new = counter.newValue.flatMap({ Int64($0) }), new < old
    else { return }
    try report(
      Finding(
        .counterWentBackwards, entityName: Name(counter.name), detail: "it was \(old) and is \(new)"
      ))
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
      try report(
        Finding(.changedWithoutVersion, objectID: object.objectID, detail: names.listed(max: 5)))
    }
  }

  private func counted(_ entity: Name) -> CountedProperties {
    if let known = counted[entity] { return known }
    let properties = CountedProperties(of: entity, older.model, newer.model)
    if newer.model[entity] != nil { counted[entity] = properties }
    return properties
  }

  private func checkLoss(_ counts: ComparisonSummary.RootCounts) throws {
    guard
      let finding = Finding.silentWipe(
        of: counts.name, gone: counts.removed, from: counts.first,
        new: counts.second - (counts.first - counts.removed))
    else { return }
    try report(finding)
  }
}

/// The properties of an entity whose changes increase the object's version counter.
///
/// Core Data counts saves of the object's own attributes and to-one relationships. A change from
/// the other end of a relationship, such as a deletion that nullifies it, changes both objects.
/// Core Data does not count what it writes into the object's row for other objects: positions in
/// ordered relationships, owners in relationships without an inverse, and values computed by
/// triggers. If one of the two models lacks a property or has another kind, a migration changed it,
/// which does not count either.
struct CountedProperties {
  private let attributes: Set<Name>
  private let relationships: Set<Name>

  init(of entity: Name, _ older: ManagedObjectModel, _ newer: ManagedObjectModel) {
    let before = Dictionary(older.allAttributes(of: entity).map { ($0.name, $0) }) { $1 }
    attributes = Set(
      newer.allAttributes(of: entity).filter { attribute in
        guard let old = before[attribute.name] else { return false }
        return Self.isCounted(attribute) && Self.isCounted(old) && old.type == attribute.type
      }.map(\.name))
    let known = Dictionary(older.allRelationships(of: entity).map { ($0.name, $0) }) { $1 }
    relationships = Set(
      newer.allRelationships(of: entity).filter {
        guard let old = known[$0.name] else { return false }
        return !$0.isToMany && !old.isToMany
          && old.destinationName == $0.destinationName
      }.map(\.name))
  }

  /// Whether a difference should have increased the version counter.
  func contains(_ difference: PropertyDifference) -> Bool {
    switch difference.subject {
    case .attribute:
      // Elements of composite attributes follow a period.
      attributes.contains(Name(String(difference.name.text.prefix { $0 != "." })))
    case .relationship: relationships.contains(difference.name)
    case .entity: true
    case .order, .owner, .version, .column: false
    }
  }

  /// The user info key of an attribute that a trigger maintains, as in Photos.
  private static let triggerKey = "NSTriggerKey"

  private static func isCounted(_ attribute: AttributeDescription) -> Bool {
    !attribute.isDerived && attribute.userInfo[Name(triggerKey)] == nil
  }
}
