public import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Creates reports on stores and archives: an inspection, a verification, and figures from the
/// rows.
///
/// ```swift
/// let report = try await StoreReporter().report(on: "Trips.sqlite")
/// try Data(report.html().utf8).write(to: URL(fileURLWithPath: "Trips.html"))
/// ```
///
/// The verifier reads every row once, in bounded memory.
public struct StoreReporter: Sendable {
  /// The number of findings shown for each code.
  public static let exampleLimit = 8

  /// The environment for reading the store or archive.
  public var environment: WorkEnvironment
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a reporter; the default environment is safe in any app.
  public init(
    environment: WorkEnvironment = WorkEnvironment(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.environment = environment
    self.progress = progress
  }

  /// Creates a report on a store or an archive on the caller's thread.
  package func report(on path: String) throws -> StoreReport {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      return try PersistentStore(readingFrom: path, access: environment.storeAccess)
        .readingAgainIfChanged(report)
    case .archive, .changes:
      let archive = try environment.openArchive(path)
      let inspection = try ArchiveInspection(archive).result()
      return try assemble(inspection, StorageParts.of(archive)) { filter, audience in
        try verifier.verify(path, filter, before: audience)
      }
    }
  }

  private func report(on opened: PersistentStore) throws -> StoreReport {
    let store = try opened.fitted(to: environment.model)
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
    options.environment = environment
    return Verifier(options: options, progress: progress)
  }

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
      lastTransaction: survey.history.last, latestDate: survey.dates.latest,
      externalData: external,
      repeatedKeys: survey.keys.repeatedKeys, findings: findings, lastWriter: survey.app.bundleID)
  }

  /// Verifies, and returns the reason if the verification ended early.
  private static func findings(
    _ verify: (FindingFilter) throws -> VerificationSummary
  ) throws -> FindingReport {
    let gathering = FindingGathering()
    var options = VerificationOptions()
    // The report keeps a few of them, and counts all.
    options.environment.limits.findings = .max
    let filter = FindingFilter(options) { gathering.add($0) }
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

/// Collects findings by code: counts all, and keeps a few of each.
final class FindingGathering {
  private var kept: [FindingCode: FindingReport.Group] = [:]

  func add(_ finding: Finding) {
    var group =
      kept[finding.code] ?? FindingReport.Group(code: finding.code, count: 0, examples: [])
    group.count += 1
    if group.examples.count < StoreReporter.exampleLimit { group.examples.append(finding) }
    kept[finding.code] = group
  }

  /// The codes of the findings, worst first, then by number of findings.
  var groups: [FindingReport.Group] {
    kept.values.sorted { left, right in
      let (one, other) = (left.code, right.code)
      if one.severity != other.severity { return one.severity > other.severity }
      return left.count != right.count ? left.count > right.count : one.text < other.text
    }
  }
}

/// Determines the use of the bytes of a file.
struct StorageParts {
  private var parts: [StoragePart] = []
  private var positions: [Name: Int] = [:]

  /// The parts, largest first.
  private var sorted: [StoragePart] {
    parts.sorted { left, right in
      left.storedByteCount != right.storedByteCount
        ? left.storedByteCount > right.storedByteCount : codeUnitsAscend(left.name, right.name)
    }
  }

  /// The parts of a store; empty if SQLite cannot determine them.
  static func of(_ store: PersistentStore) throws -> [StoragePart] {
    let shapes = StoreTables(store).sources.map(\.shape)
    let known = Dictionary(shapes.map { (Name($0.storedName), $0) }) { first, _ in first }
    let usage = try store.use { database in try PageUsage(database) }
    var gathered = StorageParts()
    for tree in usage?.trees ?? [] {
      let (kind, name) = naming(known[Name(tree.tableName)], tree.tableName)
      gathered.add(
        StoragePart(
          kind: kind, name: name, storedByteCount: tree.byteCount,
          indexByteCount: tree.isIndex ? tree.byteCount : 0, plainByteCount: nil))
    }
    return gathered.sorted
  }

  /// The parts of an archive, according to its index.
  static func of(_ archive: OpenArchive) -> [StoragePart] {
    let shapes = archive.documents.layout.tables
    let known = Dictionary(shapes.map { (Name($0.folder), $0) }) { first, _ in first }
    var gathered = StorageParts()
    for entry in archive.file.index.entries {
      var (kind, name) = (StoragePart.Kind.administration, entry.name)
      if ExternalEntryName.isFile(entry.name) {
        (kind, name) = (.externalData, "external data")
      } else if let part = PartEntryName(entry.name), let shape = known[Name(part.folder)] {
        (kind, name) = naming(shape, shape.storedName)
      }
      gathered.add(
        StoragePart(
          kind: kind, name: name, storedByteCount: entry.compressedSize, indexByteCount: nil,
          plainByteCount: entry.size))
    }
    return gathered.sorted
  }

  /// The content of a table, and its name for people.
  private static func naming(_ shape: TableLayout?, _ table: String) -> (StoragePart.Kind, String) {
    guard let shape else { return (table == "sqlite_schema" ? .administration : .unknown, table) }
    switch shape.kind {
    case .entity: return (.objects, shape.entityName?.text ?? table)
    case .relationship:
      return (.pairs, "\(shape.entityName ?? "").\(shape.relationshipName ?? "")")
    case .history: return (.history, table)
    case .cloudKit: return (.cloudKit, table)
    case .unknown: return (.unknown, table)
    default: return (.administration, table)
    }
  }

  private mutating func add(_ part: StoragePart) {
    let key = "\(part.kind.rawValue)/\(part.name)"
    guard let position = positions[Name(key)] else {
      positions[Name(key)] = parts.count
      parts.append(part)
      return
    }
    func sum(_ one: Int, _ other: Int) -> Int { one.addingReportingOverflow(other).partialValue }
    parts[position].storedByteCount = sum(parts[position].storedByteCount, part.storedByteCount)
    if let count = part.indexByteCount {
      parts[position].indexByteCount = sum(parts[position].indexByteCount ?? 0, count)
    }
    if let count = part.plainByteCount {
      parts[position].plainByteCount = sum(parts[position].plainByteCount ?? 0, count)
    }
  }
}

extension StoreReporter {
  /// Reports on a store or an archive, recognized by its content.
  ///
  /// - Throws: the errors of ``StoreInspector``; ``CofferError`` if temporary data cannot be
  ///   stored; `CancellationError`. If rows cannot be read, the report says so, and no error is
  ///   thrown.
  public func report(on path: String) async throws -> StoreReport {
    try await BackgroundWork.run(progress) { try report(on: path) }
  }
}
