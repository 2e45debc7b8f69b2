internal import CoreDataArchive
internal import CoreDataModel
public import CoreDataStore

/// Creates reports on stores and archives: an inspection, a verification, and figures from the
/// rows.
///
/// ```swift
/// let report = try StoreReporter().report(on: "Trips.sqlite")
/// try Data(report.html().utf8).write(to: URL(fileURLWithPath: "Trips.html"))
/// ```
///
/// The verifier reads every row once, in bounded memory.
public struct StoreReporter: Sendable {
  /// The number of findings shown for each code.
  public static let exampleLimit = 8

  /// How a store is read.
  public var access: StoreAccess
  /// How an archive is read.
  public var archiveAccess: ArchiveAccess
  /// The required model of the store or archive; nil for any.
  public var model: LoadedModel?
  /// The folder for temporary data of large stores; nil for the system's folder.
  public var temporaryFolder: String?
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a reporter; the default access is safe in any app.
  public init(
    access: StoreAccess = .copy, archiveAccess: ArchiveAccess = ArchiveAccess(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.access = access
    self.archiveAccess = archiveAccess
    self.progress = progress
  }

  /// Reports on a store or an archive, recognized by its content.
  ///
  /// - Throws: as ``StoreInspector/inspect(_:)``; ``CofferError`` if there is no room for
  ///   temporary data; `CancellationError`. If rows cannot be read, the report says so, and no
  ///   error is thrown.
  public func report(on path: String) throws -> StoreReport {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      return try PersistentStore(readingFrom: path, access: access).readingAgainIfChanged(report)
    case .archive:
      let archive = try OpenArchive(path: path, access: archiveAccess)
      try ModelCompatibility.require(archive.documents, of: model, place: path)
      let inspection = try ArchiveInspection(archive).result()
      return try assemble(inspection, StorageParts.of(archive)) { filter, audience in
        try verifier.verify(path, filter, before: audience)
      }
    }
  }

  private func report(on opened: PersistentStore) throws -> StoreReport {
    let store = try opened.fitted(to: model)
    let inspection = try StoreInspection(store).result()
    let parts = try StorageParts.of(store)
    let report = try assemble(inspection, parts) { filter, audience in
      try verifier.verify(store, filter, audience)
    }
    try store.requireUnchanged()
    return report
  }

  private var verifier: Verifier {
    var options = VerificationOptions()
    options.access = access
    options.archiveAccess = archiveAccess
    options.model = model?.model
    options.temporaryFolder = temporaryFolder
    return Verifier(options: options, progress: progress)
  }

  /// Verifies the source and assembles the report.
  private func assemble(
    _ inspection: Inspection, _ parts: [StoragePart],
    verifying: (FindingFilter, VerificationAudience) throws -> VerificationSummary
  ) throws -> StoreReport {
    let survey = Survey()
    let findings = try Self.findings { filter in
      try verifying(filter, VerificationAudience(observers: survey.observers))
    }
    let owners = OwnerCounts(inspection)
    let byteCounts = survey.columns.entityByteCounts
    var external = survey.external.report
    external.missingCount = findings.count(of: .missingExternalData)
    external.orphanedCount = findings.count(of: .orphanedExternalData)
    return StoreReport(
      inspection: inspection, versionHashes: survey.versionHashes,
      entities: inspection.entities.map { entity in
        EntitySize(
          name: entity.name, objectCount: entity.objectCount,
          byteCount: byteCounts[entity.name] ?? 0)
      },
      attributes: survey.columns.attributes(owners), parts: parts,
      history: survey.history.growth, dates: survey.dates.growth, externalData: external,
      relationships: survey.fanOut.relationships(of: inspection.model, owners, survey.columns),
      findings: findings)
  }

  /// Verifies, and returns why the verification ended early if it did.
  private static func findings(
    _ verify: (FindingFilter) throws -> VerificationSummary
  ) throws -> FindingReport {
    let gathering = FindingGathering()
    let filter = FindingFilter(VerificationOptions()) { gathering.add($0) }
    var report = FindingReport(groups: [], checks: [], checksNotRun: [], problem: nil)
    do {
      let summary = try verify(filter)
      report.checks = summary.checks
      report.checksNotRun = summary.checksNotRun
    } catch let error as CofferError
      where ![.storeBusy, .temporaryStorageFailed].contains(error.code)
    {
      report.problem = error.description
    }
    report.groups = gathering.groups
    return report
  }
}
