public import CoreDataStore

/// Verifications without blocking the caller.
///
/// The work runs on its own thread, which also calls the receiver of the findings, so the caller's
/// actor stays free. When the task is cancelled, the work ends soon with `CancellationError`.
extension Verifier {
  /// Verifies a store or an archive, recognized by its content.
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

  /// Verifies a store or an archive, then compares it with an older state of the same store.
  ///
  /// - Throws: as ``verify(_:against:report:)``.
  @discardableResult
  public func verify(
    _ path: String, against older: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, against: older, report: report) }
  }
}
