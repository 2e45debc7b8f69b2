/// Imports without blocking the caller.
///
/// The work runs on its own thread, so the caller's actor stays free. When the task is cancelled,
/// the work ends soon with `CancellationError` and leaves nothing.
extension StoreImporter {
  /// Restores a store from an archive in a file.
  ///
  /// - Throws: as `import(_:to:)`.
  @discardableResult
  public func `import`(_ archive: String, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try self.import(archive, to: store) }
  }

  /// Restores a store from an archive that is read from a file descriptor.
  ///
  /// - Throws: as `import(_:to:)`.
  @discardableResult
  public func `import`(fileDescriptor: Int32, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) {
      try self.import(fileDescriptor: fileDescriptor, to: store)
    }
  }
}
