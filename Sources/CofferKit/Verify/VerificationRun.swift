internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One verification from beginning to end: the part that stores and archives have in common.
final class VerificationRun {
  /// What the checks share.
  let context: VerificationContext
  /// How many objects were seen.
  private(set) var objectCount = 0
  private let checks: [any Check]
  /// The checks, and behind them who else looks on.
  private let observers: [any RunObserver]
  private let filter: FindingFilter
  private let progress: any ProgressReporter
  private let rows: RowProgress

  /// Prepares a run with the checks that the options ask for.
  ///
  /// - Parameters:
  ///   - subject: what is verified.
  ///   - options: what is checked.
  ///   - filter: takes the findings.
  ///   - audience: who else looks at the rows.
  ///   - progress: who is told how far the work is.
  ///   - rows: the progress of the rows.
  init(
    _ subject: VerificationSubject, _ options: VerificationOptions, _ filter: FindingFilter,
    _ audience: VerificationAudience, _ progress: any ProgressReporter, rows: RowProgress
  ) {
    self.rows = rows
    let context = VerificationContext(subject, options, filter)
    self.context = context
    self.filter = filter
    self.progress = progress
    checks = CheckList.all.filter { options.runs($0.name) }.map { $0.init(context) }
    observers = checks + audience.observers(context)
  }

  /// Checks what is known before any row.
  func prepare() throws {
    for observer in observers { try observer.prepare() }
    try context.reportMissingModel()
  }

  /// Begins a table.
  func begin(_ table: VerifiedTable) throws -> TableVerification {
    rows.report(0, of: table.shape)
    return try TableVerification(table, observers, context)
  }

  /// Ends a table.
  func end(_ table: TableVerification) throws {
    try table.finish()
    rows.end(table.rowCount, of: table.table.shape)
    if table.table.shape.kind == .entity { objectCount += table.rowCount }
  }

  /// Tells how many objects were seen, those of a table that is being read included.
  func report(_ table: TableVerification) { rows.report(table.rowCount, of: table.table.shape) }

  /// All rows were seen.
  func rowsDone() { rows.finishPhase() }

  /// Checks what needs all rows.
  func finish(_ kind: SourceKind) throws -> VerificationSummary {
    progress.report(WorkProgress(.relations, completed: 0, total: observers.count))
    for observer in observers { try observer.rowsDone() }
    try context.distributeRecords()
    for (number, observer) in observers.enumerated() {
      try Task<Never, Never>.checkCancellation()
      try observer.finish()
      progress.report(WorkProgress(.relations, completed: number + 1, total: observers.count))
    }
    try context.reportRest()
    let names = CheckName.withOwn
    var summary = VerificationSummary(kind: kind)
    summary.objectCount = objectCount
    summary.counts = filter.counts
    var ran = Set(checks.map { type(of: $0).name })
    if kind == .archive {
      ran.remove(.sqlite)
      if context.options.runs(.archive) { ran.insert(.archive) }
    }
    if context.options.model == nil { ran.remove(.model) }
    if context.options.objectChecks.isEmpty { ran.remove(.own) }
    summary.checks = names.filter { ran.contains($0) && !filter.notRun.contains($0) }
    summary.checksNotRun = names.filter(filter.notRun.contains)
    summary.storeUUID = context.administration.metadata.first?.uuid
    return summary
  }
}

/// All checks, in the order in which they run.
enum CheckList {
  static var all: [any Check.Type] {
    [
      SQLiteCheck.self,
      MetadataCheck.self,
      VersionHashCheck.self,
      ModelCacheCheck.self,
      EntityNumberCheck.self,
      SchemaCheck.self,
      ModelCheck.self,
      CounterCheck.self,
      EntityCheck.self,
      VersionCheck.self,
      ReferenceCheck.self,
      PairCheck.self,
      InverseCheck.self,
      OrderCheck.self,
      RequiredCheck.self,
      CardinalityCheck.self,
      UniquenessCheck.self,
      ValueCheck.self,
      ValidationCheck.self,
      ExternalDataCheck.self,
      HistoryCheck.self,
      DerivedCheck.self,
      SpatialIndexCheck.self,
      CustomChecks.self,
    ]
  }
}
