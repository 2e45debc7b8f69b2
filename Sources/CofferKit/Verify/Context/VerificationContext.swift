internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// What all checks of a run share: what is verified, the keys that were seen, the sorter, and where
/// findings go.
final class VerificationContext {
  /// What is being verified.
  let subject: VerificationSubject
  /// The choices of the caller.
  let options: VerificationOptions
  /// The tables in the order in which they are read.
  let tables: [VerifiedTable]
  /// The entities.
  let entities: EntityIndices
  /// Records of the checks, sorted once all rows were seen.
  let sorter: RecordSorter
  /// What the framework's own tables hold; complete once all rows were seen.
  var administration = SystemTables()
  /// The files of external binary data; complete once all rows were seen.
  var supportFiles: [SupportFolder.File] = []
  /// What is in the support folder and is no file; complete once all rows were seen.
  var irregularFiles: [String] = []

  /// Reports what has to stand before all other findings and is still being found out; they wait for it.
  var beforeFindings: (() throws -> Void)?

  private var waitingFindings: [Finding] = []
  private let keys: [KeyDirectory?]
  private var consumers: [any RecordConsumer] = []
  /// The checks that need a model and have none.
  private var checksWithoutModel: [CheckName] = []
  private let collector: FindingFilter
  /// How many findings may wait; more of them are a reason to wait with the rows.
  private static let mostWaitingFindings = 1000

  /// Prepares a run.
  init(_ subject: VerificationSubject, _ options: VerificationOptions, _ collector: FindingFilter) {
    self.subject = subject
    self.options = options
    self.collector = collector
    tables = subject.layout.tables.enumerated().map { VerifiedTable($1, index: $0) }
    entities = EntityIndices(subject.layout.entities)
    sorter = RecordSorter(
      memory: options.memory, temporaryFolder: options.temporaryFolder)
    let storage = KeyStorage(memory: options.memory, temporaryFolder: options.temporaryFolder)
    keys = tables.map { $0.primaryKeyColumn == nil ? nil : KeyDirectory(storage: storage) }
  }

  // MARK: Findings

  /// Reports a finding, unless the store was changed while it was being read: then it may be about
  /// two states at once.
  func report(_ finding: Finding) throws {
    try subject.store?.requireUnchanged()
    guard beforeFindings != nil else { return try collector.report(finding) }
    waitingFindings.append(finding)
    if waitingFindings.count == Self.mostWaitingFindings { try releaseFindings() }
  }

  /// Reports a finding, which is only made where it is not one of too many.
  func report(
    _ code: FindingCode, of entityName: String?, _ finding: @autoclosure () throws -> Finding
  ) throws {
    // Those that wait are counted when they are released.
    if beforeFindings != nil { return try report(try finding()) }
    try subject.store?.requireUnchanged()
    if collector.count(code, entityName, nil) { try collector.handOn(try finding()) }
  }

  /// Reports how many findings there were besides those that were reported.
  func reportRest() throws {
    try releaseFindings()
    try collector.reportRest()
  }

  /// Reports what has to stand before all other findings, and those that waited for it.
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

  /// Whether the model is more than a guess; where it is not, the check cannot run, and
  /// ``reportMissingModel()`` says so.
  func knowsModel(_ check: CheckName) -> Bool {
    guard subject.modelIsInferred else { return true }
    if options.runs(check) { checksWithoutModel.append(check) }
    return false
  }

  /// Reports all checks that could not run without a model in one finding: they have one cause.
  func reportMissingModel() throws {
    guard !checksWithoutModel.isEmpty else { return }
    collector.notRun.formUnion(checksWithoutModel)
    let names = checksWithoutModel.map(\.rawValue).joined(separator: ", ")
    try report(
      Finding(.checkNotRun, detail: "\(names): the model is only inferred from the tables"))
    checksWithoutModel = []
  }

  // MARK: Tables and keys

  /// The keys of a table's rows that were seen so far; nil for tables without primary keys.
  func keys(of table: VerifiedTable) -> KeyDirectory? { keys[table.index] }

  /// The table of an entity's objects: that of its root entity.
  func table(ofEntity entity: String) -> VerifiedTable? {
    guard let root = subject.model.root(of: entity)?.name else { return nil }
    return tables.first { $0.shape.kind == .entity && $0.shape.entityName == root }
  }

  /// A table by its name in the store.
  func table(named name: String) -> VerifiedTable? {
    tables.first { $0.shape.storedName == name }
  }

  /// The pairs of a many-to-many relationship by the relationship that names their table.
  func pairs(of relationship: String, entity: String) -> VerifiedTable? {
    tables.first {
      $0.shape.kind == .relationship && $0.shape.entityName == entity
        && $0.shape.relationshipName == relationship
    }
  }

  /// The entity and all below it.
  func tree(of entity: String) -> EntitySet {
    EntitySet(treeOf: entity, subject.model, entities)
  }

  // MARK: Objects

  /// The ID of the object of a row; nil where the row has no key.
  func objectID(_ row: Row, in table: VerifiedTable) -> ManagedObjectID? {
    guard let key = row.primaryKey else { return nil }
    let name = entities.name(row.entity)
    return ManagedObjectID(entityName: name ?? table.shape.entityName ?? "", primaryKey: key)
  }

  /// The ID of an object that was seen before; of one that was not, by the root entity.
  func objectID(_ key: Int64, in table: VerifiedTable) throws -> ManagedObjectID {
    let entity = try keys(of: table)?.find(key)?.entity
    let name = entity.flatMap(entities.name) ?? table.shape.entityName ?? ""
    return ManagedObjectID(entityName: name, primaryKey: key)
  }

  // MARK: Records

  /// Registers who takes the records of a new topic; topics are sorted in the order of registration.
  func topic(_ consumer: any RecordConsumer) -> UInt32 {
    consumers.append(consumer)
    return UInt32(clamping: consumers.count - 1)
  }

  /// Forgets who takes records and what is still to be reported: they hold the context, which holds
  /// them.
  func releaseChecks() {
    consumers = []
    beforeFindings = nil
  }

  /// Sorts the records and hands them out.
  func distributeRecords() throws {
    var current = 0
    var count = 0
    try sorter.forEach { record in
      count &+= 1
      if count & 0xffff == 0 { try Task<Never, Never>.checkCancellation() }
      while current < Int(record.topic) {
        try consumers[current].topicDone()
        current += 1
      }
      try consumers[current].take(record)
    }
    for consumer in consumers[min(current, consumers.count)...] { try consumer.topicDone() }
  }
}
