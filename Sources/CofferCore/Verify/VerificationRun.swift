internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One run of a verification: the part that stores and archives have in common.
final class VerificationRun {
  /// The shared state of the checks.
  let context: VerificationContext
  /// The number of objects read.
  private(set) var objectCount = 0
  private let checks: [any Check]
  /// The requested checks that need a model, if there is none.
  private let checksWithoutModel: [CheckName]
  /// The checks that see only an inferred model.
  private let checksOfInference: [CheckName]
  /// The checks, and behind them who else looks on.
  private let observers: [any RunObserver]
  private let filter: FindingFilter
  private let progress: any ProgressReporter
  private let rows: RowProgress

  /// Prepares a run with the checks that the options select.
  init(
    of subject: VerificationSubject, options: VerificationOptions, filter: FindingFilter,
    audience: VerificationAudience, progress: any ProgressReporter, rows: RowProgress
  ) {
    self.rows = rows
    let context = VerificationContext(subject, options, filter)
    self.context = context
    self.filter = filter
    self.progress = progress
    let wanted = CheckList.all.filter { check in
      options.runs(check.name) && (check.name != .own || !options.objectChecks.isEmpty)
    }
    let needing = { (need: ModelNeed) in
      subject.modelIsInferred ? wanted.filter { $0.modelNeed == need }.map { $0.name } : []
    }
    let missing = needing(.whole)
    checksWithoutModel = missing
    checksOfInference = needing(.relationships)
    checks = wanted.filter { !missing.contains($0.name) }.map { $0.init(context) }
    observers = checks + audience.observers(context)
  }

  /// Checks the facts that are known before the first row.
  func prepare() throws {
    for observer in observers { try observer.prepare() }
    try context.reportMissingModel(checksWithoutModel, partial: checksOfInference)
  }

  func begin(_ table: VerifiedTable) throws -> TableVerification {
    rows.report(0, of: table.shape)
    return try TableVerification(table, observers, context)
  }

  func end(_ table: TableVerification) throws {
    try table.finish()
    rows.end(table.rowCount, of: table.table.shape)
    if table.table.shape.kind == .entity { objectCount += table.rowCount }
  }

  /// Reports the number of objects so far, including the current table.
  func report(_ table: TableVerification) { rows.report(table.rowCount, of: table.table.shape) }

  func rowsDone() { rows.finishPhase() }

  /// Runs the checks that need all rows, and returns the summary.
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
    if context.options.environment.model == nil { ran.remove(.model) }
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

/// Compares the store's model with the given one, as far as it affects compatibility.
///
/// If the store has no copy of its model, all other checks use the given one instead.
final class ModelCheck: RunCheck, Check {
  static let name = CheckName.model

  func prepare() throws {
    guard let given = context.subject.givenModel else { return }
    guard !context.subject.modelIsInferred else {
      return try context.reportNotRun(Self.name, "the archive has no model to compare")
    }
    let model = context.subject.model
    for change in ModelDifference(of: model, and: given, scope: .versionHash).changes {
      try context.report(
        .modelMismatch, entityName: change.entityName, propertyName: change.propertyName,
        detail: change.mismatch)
    }
  }
}

/// Checks that derived attributes have the values of their expressions.
///
/// Two kinds of expressions are evaluated: an attribute of a to-one relationship's destination, and
/// the count of a to-many relationship that is not its own inverse. All others are ignored: they
/// depend on the time (`now()`) or on rules of Foundation (`canonical:`), or are sums with
/// rounding. No known real store has one.
final class DerivedCheck: RunCheck, Check {
  static let name = CheckName.derived
  static let modelNeed = ModelNeed.whole
  private var values: [any DerivedValues] = []

  func prepare() throws {
    for entity in context.subject.model.entities {
      for attribute in entity.attributes where attribute.isDerived {
        guard let derived = DerivedAttribute(attribute, of: entity, context) else { continue }
        if let copy = DerivedCopy(derived, context) {
          values.append(copy)
        } else if let count = DerivedCount(derived, context) {
          values.append(count)
        }
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    RowVisitor.chain(values.compactMap { $0.visitor(of: table) }[...])
  }
}

/// Checks the store's own copy of its model.
final class ModelCacheCheck: RunCheck, Check {
  static let name = CheckName.modelCache

  func finish() throws {
    let administration = context.administration
    if administration.modelCaches.count > 1 { try context.report(.surplusModelCache) }
    if let bytes = administration.modelCaches.first {
      guard let problem = Self.problem(of: bytes) else { return }
      return try context.report(.unreadableModelCache, detail: problem.detail)
    }
    if administration.lacksReadable("the copy of the model") { return }
    guard let version = administration.metadata.first?.frameworkVersion else {
      return try context.reportNotRun(
        Self.name, "the framework version is unknown, and there is no copy of the model")
    }
    if FrameworkEra(version: version).keepsModel {
      try context.report(
        .missingModelCache,
        detail: administration.hasModelCacheTable ? "its table is empty" : "it has no table")
    }
  }

  private static func problem(of bytes: [UInt8]) -> CofferError? {
    do throws(CofferError) {
      _ = try ModelCacheReader.read(compressed: bytes)
      return nil
    } catch {
      return error
    }
  }
}
