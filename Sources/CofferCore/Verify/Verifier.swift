internal import CoreDataArchive
internal import CoreDataModel
public import CoreDataStore

/// Checks everything that must be true of a Core Data store, in a store or in an archive.
///
/// ```swift
/// let summary = try await Verifier().verify("Trips.sqlite") { finding in print(finding) }
/// ```
///
/// Reads every table once. Reports findings as it finds them, always in the same order. Cancel the
/// task to cancel the work. Changes nothing and writes only a temporary file, so memory stays
/// bounded for any size.
public struct Verifier: Sendable {
  /// The options.
  public var options: VerificationOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a verifier with options and a receiver of its progress.
  public init(
    options: VerificationOptions = VerificationOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Verifies a store or an archive on the caller's thread.
  @discardableResult
  package func verify(
    _ path: String, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    try verify(path, FindingFilter(options, receiver: onFinding))
  }

  /// Verifies an open store on the caller's thread.
  @discardableResult
  package func verify(
    _ store: PersistentStore, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    let filter = FindingFilter(options, receiver: onFinding)
    return try verify(store, filter)
  }

  /// Verifies an archive from a file descriptor on the caller's thread.
  @discardableResult
  package func verify(
    fileDescriptor: Int32, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    let filter = FindingFilter(options, receiver: onFinding)
    do {
      return try verifyArchive(.descriptor(fileDescriptor), "standard input", filter)
    } catch {
      // Report a cut-off archive as such, whichever reader noticed it.
      try Task<Never, Never>.checkCancellation()
      throw error
    }
  }

  /// Verifies a file.
  ///
  /// Findings go to a filter, which may receive more later, and an audience observes the rows.
  package func verify(
    _ path: String, _ filter: FindingFilter, before audience: VerificationAudience = .nobody
  ) throws -> VerificationSummary {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      progress.report(WorkProgress(.opening))
      return try verify(try PersistentStore(verifying: path, options), filter, audience)
    case .archive, .changes: return try verifyArchive(.file(path: path), path, filter, audience)
    }
  }

  /// Verifies an open store.
  ///
  /// Findings go to a filter, and an audience observes the rows.
  package func verify(
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
    let environment = options.environment
    do {
      let reader = try ArchiveReader(
        source, options: environment.readerOptions(collectsProblems: true))
      let total = reader.isRepacked ? nil : environment.objectCount(in: source, for: progress)
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
  /// Opens a store, even if it lacks parts that other commands need.
  convenience init(verifying path: String, _ options: VerificationOptions) throws(CofferError) {
    try self.init(
      readingFrom: path, access: options.environment.storeAccess, toleratesMissingTables: true)
  }

  /// The store, with the given model if it has no copy of its model to compare it with.
  func planned(with options: VerificationOptions) -> PersistentStore {
    guard model.source == .inferred, let given = options.environment.model?.model else {
      return self
    }
    return planned(forFile: given)
  }
}

extension Verifier {
  /// Verifies a store or an archive, recognized by content.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - onFinding: called for every finding. If it throws, the work ends with that error.
  /// - Returns: the numbers of objects and findings.
  /// - Throws: `CofferError` if the file cannot be read completely or temporary data cannot be
  ///   stored, `CancellationError`.
  @discardableResult
  public func verify(
    _ path: String, onFinding: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, onFinding: onFinding) }
  }

  /// Verifies an open store.
  ///
  /// - Throws: the same errors as `verify(_:onFinding:)` for a path.
  @discardableResult
  public func verify(
    _ store: PersistentStore, onFinding: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(store, onFinding: onFinding) }
  }

  /// Verifies an archive from a file descriptor, such as 0 for standard input.
  ///
  /// Reads it to the end and does not close it.
  ///
  /// - Throws: the same errors as `verify(_:onFinding:)` for a path.
  @discardableResult
  public func verify(
    fileDescriptor: Int32, onFinding: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) {
      try verify(fileDescriptor: fileDescriptor, onFinding: onFinding)
    }
  }
}

extension Verifier {
  /// The findings in a store or an archive, as they are found.
  ///
  /// The work begins with the first requested finding, and waits for a slow reader.
  ///
  /// - Parameter path: the file, recognized by content.
  /// - Returns: the findings in the order and with the errors of `verify(_:onFinding:)`.
  public func findings(in path: String) -> some AsyncSequence<Finding, any Error> {
    WorkSequence(progress) { receive in try verify(path, onFinding: receive) }
  }
}

/// The result of a verification.
public struct VerificationSummary: Sendable, Equatable {
  /// The number of objects read.
  public var objectCount = 0
  /// The number of reported findings of each severity.
  public var counts: [FindingSeverity: Int] = [:]
  /// The checks that ran, in order.
  public var checks: [CheckName] = []
  /// The checks that could not run, in order.
  public var checksNotRun: [CheckName] = []
  /// The kind of the verified source.
  public var kind: SourceKind
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The content digest of an archive in hexadecimal digits; nil for a store, and if the archive's index
  /// does not match its entries.
  public var contentDigest: String?

  /// A summary without findings.
  package init(kind: SourceKind) { self.kind = kind }

  /// The number of findings of a severity.
  public func count(of severity: FindingSeverity) -> Int { counts[severity] ?? 0 }
}
