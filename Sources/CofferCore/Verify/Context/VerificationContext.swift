internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// The shared state of all checks of a run: the subject, the keys read so far, the sorter, and the receiver
/// of findings.
package final class VerificationContext {
  /// The store or archive being verified.
  package let subject: VerificationSubject
  let options: VerificationOptions
  /// The tables in reading order.
  package let tables: [VerifiedTable]
  /// The entities.
  package let entities: EntityIndices
  /// The records of the checks, sorted after all rows.
  package let sorter: RecordSorter
  /// The system tables; complete after all rows.
  package var administration = SystemTables()
  /// The files of external binary data; complete after all rows.
  package var supportFiles: [SupportFolder.File] = []
  /// The paths of those that the process may not read; complete after all rows.
  var unreadableFiles: [String] = []
  /// Items in the support folder that are not regular files; complete after all rows.
  var irregularFiles: [SupportFolder.Irregular] = []
  /// The names of files next to the store that bear its name but are not exported; complete after all
  /// rows.
  var unknownCompanions: [String] = []

  /// Reports findings that must come first but are still being determined.
  ///
  /// All others wait for them.
  var beforeFindings: (() throws -> Void)?

  /// Whether SQLite has checked all pages of the store without a finding.
  var pagesAreSound: @Sendable () -> Bool = { false }

  /// Looks for the row of a key in a table that could not be read to its end; nil if it may be on a page
  /// that cannot be read.
  var findRow: ((_ table: VerifiedTable, _ key: Int64) throws -> Bool?)?

  private var waitingFindings: [Finding] = []
  private var unreadableTables: UnreadableTables
  private var unreadableIndexes: Set<Int> = []
  private let keys: [KeyDirectory?]
  private var consumers: [any RecordConsumer] = []
  private let collector: FindingFilter
  /// The maximum number of waiting findings.
  ///
  /// With more, the rows wait.
  private static let maxWaitingFindings = 1000

  /// Prepares a run.
  init(_ subject: VerificationSubject, _ options: VerificationOptions, _ collector: FindingFilter) {
    self.subject = subject
    self.options = options
    self.collector = collector
    unreadableTables = UnreadableTables(subject.model)
    tables = subject.layout.tables.enumerated().map { VerifiedTable($1, index: $0) }
    entities = EntityIndices(subject.layout.entities)
    sorter = RecordSorter(
      memory: options.memory, temporaryFolder: options.environment.temporaryFolder,
      sortsInBackground: options.threads > 0)
    let storage = KeyStorage(
      memory: options.memory, temporaryFolder: options.environment.temporaryFolder)
    keys = tables.map { $0.primaryKeyColumn == nil ? nil : KeyDirectory(storage: storage) }
  }

  // MARK: Findings

  /// Reports a finding, unless the store changed while it was being read, so that the finding may
  /// mix two states.
  func report(_ finding: Finding) throws {
    try subject.store?.requireUnchanged()
    if unreadableTables.take(finding.code, finding.entityName, finding.propertyName) { return }
    guard beforeFindings != nil else { return try collector.report(finding) }
    waitingFindings.append(finding)
    if waitingFindings.count == Self.maxWaitingFindings { try releaseFindings() }
  }

  /// Reports a finding with these parts.
  func report(
    _ code: FindingCode, entityName: Name? = nil, objectID: ManagedObjectID? = nil,
    propertyName: Name? = nil, detail: String = ""
  ) throws {
    try report(
      Finding(
        code, entityName: entityName, objectID: objectID, propertyName: propertyName,
        detail: detail))
  }

  /// Reports a finding, which is only created if it is not one of too many.
  func report(
    _ code: FindingCode, of entityName: Name?, property: Name? = nil,
    _ finding: @autoclosure () throws -> Finding
  ) throws {
    // Those that wait are counted when they are released.
    if beforeFindings != nil { return try report(try finding()) }
    try subject.store?.requireUnchanged()
    if unreadableTables.take(code, entityName, property) { return }
    if collector.count(code, entityName, property) { try collector.handOn(try finding()) }
  }

  /// Reports a reference to an object that was not read; one that may follow from an unreadable table is
  /// counted.
  ///
  /// It does not follow if every page that leads to the key is readable, and no row has it.
  func reportDangling(_ key: Int64, in table: VerifiedTable, _ finding: Finding) throws {
    guard try isCertainlyMissing(key, in: table) else { return try report(finding) }
    try releaseFindings()
    try subject.store?.requireUnchanged()
    try collector.report(finding)
  }

  private func isCertainlyMissing(_ key: Int64, in table: VerifiedTable) throws -> Bool {
    guard unreadableIndexes.contains(table.index) else { return !unreadableIndexes.isEmpty }
    return try findRow?(table, key) == false
  }

  /// Reports a table that cannot be read on.
  ///
  /// Findings that may follow from its missing rows are counted from now on, and not reported.
  func reportUnreadable(_ table: VerifiedTable, after rowCount: Int) throws {
    if options.wants(.unreadableTable) {
      unreadableTables.add(table.shape)
      unreadableIndexes.insert(table.index)
    }
    try report(
      Finding(
        .unreadableTable, entityName: table.shape.entityName, detail: "after \(rowCount) rows"))
  }

  /// Reports a finding even if it is one of too many.
  func insist(_ finding: Finding) throws {
    try releaseFindings()
    try collector.insist(finding)
  }

  /// Reports the number of findings that were not reported.
  func reportRest() throws {
    try releaseFindings()
    if unreadableTables.count > 0 {
      let isOne = unreadableTables.count == 1
      try collector.report(
        Finding(
          .followsFromDamage,
          detail: isOne ? "one finding" : "\(unreadableTables.count) findings"))
    }
    try collector.reportRest()
  }

  /// Reports the findings that must come first, and the findings that waited for them.
  func releaseFindings() throws {
    guard let before = beforeFindings else { return }
    beforeFindings = nil
    let findings = waitingFindings
    waitingFindings = []
    try before()
    for finding in findings { try collector.report(finding) }
  }

  /// Reports that a check could not run, which must never be silent.
  func reportNotRun(_ check: CheckName, _ reason: String) throws {
    guard options.runs(check) else { return }
    collector.notRun.insert(check)
    try report(Finding(.checkNotRun, detail: "\(check.rawValue): \(reason)"))
  }

  /// Reports all checks that cannot run without a model, or only in part, in one finding: they have
  /// one cause.
  ///
  /// - Parameters:
  ///   - missing: the checks that cannot run.
  ///   - partial: the checks that see only an inferred model.
  /// - Throws: errors from the receiver of the findings.
  func reportMissingModel(_ missing: [CheckName], partial: [CheckName]) throws {
    func names(_ checks: [CheckName]) -> String {
      checks.map(\.rawValue).joined(separator: ", ")
    }
    guard !missing.isEmpty || !partial.isEmpty else { return }
    collector.notRun.formUnion(missing)
    var detail = "\(names(missing.isEmpty ? partial : missing)): "
    detail += "the model is only inferred from the tables"
    if !partial.isEmpty {
      detail += "; \(names(partial)) ran for inferred relationships only"
    }
    try report(Finding(.checkNotRun, detail: detail))
  }

  // MARK: Tables and keys

  /// The keys of a table's rows read so far; nil for tables without primary keys.
  package func keys(of table: VerifiedTable) -> KeyDirectory? { keys[table.index] }

  /// The table of an entity's objects, which is its root entity's.
  package func table(ofEntity entity: Name) -> VerifiedTable? {
    guard let root = subject.model.root(of: entity)?.name else { return nil }
    return tables.first { $0.shape.kind == .entity && $0.shape.entityName == root }
  }

  func table(named name: String) -> VerifiedTable? {
    tables.first { $0.shape.storedName.hasSameBytes(as: name) }
  }

  /// The join table of a many-to-many relationship, by the relationship that names it.
  func pairs(of relationship: Name, entity: Name) -> VerifiedTable? {
    tables.first {
      $0.shape.kind == .relationship && $0.shape.entityName == entity
        && $0.shape.relationshipName == relationship
    }
  }

  /// The entity and its subentities.
  package func tree(of entity: Name) -> EntitySet {
    EntitySet(treeOf: entity, subject.model, entities)
  }

  // MARK: Objects

  /// The ID of the object in a row; nil if the row has no key.
  func objectID(_ row: Row, in table: VerifiedTable) -> ManagedObjectID? {
    guard let key = row.primaryKey else { return nil }
    let name = entities.name(row.entity)
    return ManagedObjectID(entityName: name ?? table.shape.entityName ?? "", primaryKey: key)
  }

  /// The ID of an object; if it has not been read, with the root entity.
  package func objectID(_ key: Int64, in table: VerifiedTable) throws -> ManagedObjectID {
    let entity = try keys(of: table)?.find(key)?.entity
    let name = entity.flatMap(entities.name) ?? table.shape.entityName ?? ""
    return ManagedObjectID(entityName: name, primaryKey: key)
  }

  // MARK: Records

  /// Registers the consumer of a new topic.
  ///
  /// Topics are sorted in the order of registration.
  package func topic(_ consumer: any RecordConsumer) -> UInt32 {
    consumers.append(consumer)
    return UInt32(clamping: consumers.count - 1)
  }

  /// Releases the consumers and pending reports, which form reference cycles with the context.
  func releaseChecks() {
    consumers = []
    beforeFindings = nil
    pagesAreSound = { false }
    findRow = nil
    for directory in keys { directory?.rest = nil }
  }

  /// Sorts the records and passes them to their consumers.
  func distributeRecords() throws {
    var current = 0
    var count = 0
    // All topics have been given out; a copy of the list is reached without a check for each record.
    let consumers = consumers
    guard var consumer = consumers.first else { return }
    try sorter.forEach { record in
      count &+= 1
      if count & 0xffff == 0 { try Task<Never, Never>.checkCancellation() }
      while current < Int(record.topic) {
        try consumer.topicDone()
        current += 1
        consumer = consumers[current]
      }
      try consumer.take(record)
    }
    for consumer in consumers[min(current, consumers.count)...] { try consumer.topicDone() }
  }
}
