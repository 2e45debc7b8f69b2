internal import CoreDataArchive
internal import CoreDataModel
public import CoreDataStore

/// Looks at everything that must be true of a Core Data store, in a store or in an archive of one,
/// and tells what is not.
///
/// ```swift
/// let summary = try Verifier().verify("Trips.sqlite") { finding in print(finding) }
/// ```
///
/// Every table is read once. Findings come as they are found, in an order that is the same each time;
/// the work can be cancelled with its task. Nothing is changed, and nothing but a temporary file is
/// written: memory stays bounded whatever the size.
public struct Verifier: Sendable {
  /// What is checked.
  public var options: VerificationOptions
  /// Who is told how far the work is.
  public var progress: any ProgressReporter

  /// Creates a verifier.
  public init(
    options: VerificationOptions = VerificationOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Verifies a store or an archive, whichever the file is.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - report: called for every finding; what it throws ends the work.
  /// - Returns: how much was seen, and how many findings there were.
  /// - Throws: `CofferError` where the file cannot be read at all or not to its
  ///   end, ``CofferError`` where there is no room for temporary data, `CancellationError`.
  @discardableResult
  public func verify(
    _ path: String, report: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    try verify(path, FindingFilter(options, receiver: report))
  }

  /// Verifies an open store.
  ///
  /// - Throws: as `verify(_:report:)` of a path.
  @discardableResult
  public func verify(
    _ store: PersistentStore, report: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    let filter = FindingFilter(options, receiver: report)
    return try verify(store, filter)
  }

  /// Verifies an archive that comes through a file descriptor, such as 0 for standard input; it is
  /// read to its end and not closed.
  ///
  /// - Throws: as `verify(_:report:)` of a path.
  @discardableResult
  public func verify(
    fileDescriptor: Int32, report: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    let filter = FindingFilter(options, receiver: report)
    do {
      return try verifyArchive(.descriptor(fileDescriptor), "standard input", filter)
    } catch {
      // Whatever the end looked like where it was noticed.
      try Task<Never, Never>.checkCancellation()
      throw error
    }
  }

  /// Verifies a file; findings go to a filter that may take more of them afterwards, and an audience
  /// sees the rows.
  func verify(
    _ path: String, _ filter: FindingFilter, before audience: VerificationAudience = .nobody
  ) throws -> VerificationSummary {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      progress.report(WorkProgress(.opening))
      return try verify(try PersistentStore(verifying: path, options), filter, audience)
    case .archive: return try verifyArchive(.file(path: path), path, filter, audience)
    }
  }

  /// Verifies an open store; findings go to a filter, and an audience sees the rows.
  func verify(
    _ store: PersistentStore, _ filter: FindingFilter, _ audience: VerificationAudience = .nobody
  ) throws -> VerificationSummary {
    let store = store.planned(with: options)
    let verification = StoreVerification(
      store, options: options, filter: filter, audience: audience, progress: progress)
    return try verification.complete()
  }

  private func verifyArchive(
    _ source: ArchiveSource, _ place: String, _ filter: FindingFilter,
    _ audience: VerificationAudience = .nobody
  ) throws -> VerificationSummary {
    var access = options.archiveAccess
    access.temporaryFolder = access.temporaryFolder ?? options.temporaryFolder
    do {
      let reader = try ArchiveReader(source, options: access.readerOptions(collectsProblems: true))
      let total = reader.isRepacked ? nil : access.objectCount(in: source, for: progress)
      var verification = try ArchiveVerification(
        reader, place: place, objectTotal: total, options: options, filter: filter,
        audience: audience, progress: progress)
      return try verification.complete()
    } catch let error as CofferError {
      throw error.hintingAtSalvage
    }
  }
}

extension PersistentStore {
  /// Opens a store that may lack what other commands need.
  convenience init(verifying path: String, _ options: VerificationOptions) throws(CofferError) {
    try self.init(readingFrom: path, access: options.access, toleratesMissingTables: true)
  }

  /// The store with the model that was given, where it has none of its own to be compared with it.
  func planned(with options: VerificationOptions) -> PersistentStore {
    guard model.source == .inferred, let given = options.model else { return self }
    return planned(forFile: given)
  }
}
