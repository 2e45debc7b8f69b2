public import CoreDataStore

/// Verifications that do not block the caller.
///
/// The work runs on a thread of its own, where it calls the receiver of the findings too; the caller's
/// actor is free meanwhile. When the task is cancelled it ends soon, with `CancellationError`.
extension Verifier {
  /// Verifies a store or an archive, whichever the file is.
  ///
  /// - Throws: as `verify(_:report:)` of a path.
  @discardableResult
  public func verify(
    _ path: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, report: report) }
  }

  /// Verifies an open store.
  ///
  /// - Throws: as `verify(_:report:)` of a path.
  @discardableResult
  public func verify(
    _ store: PersistentStore, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(store, report: report) }
  }

  /// Verifies a store or an archive, and then compares it with an older state of the same store.
  ///
  /// - Throws: as ``verify(_:against:report:)``.
  @discardableResult
  public func verify(
    _ path: String, against older: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, against: older, report: report) }
  }
}
