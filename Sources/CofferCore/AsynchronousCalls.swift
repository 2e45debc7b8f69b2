public import CoreDataModel
public import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension StoreExporter {
  /// Opens a store and writes an archive to a file without blocking the caller.
  @discardableResult
  public func export(storeAt store: String, to archive: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: archive) }
  }

  /// Opens a store and writes an archive without blocking the caller.
  @discardableResult
  public func export(
    storeAt store: String, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: target) }
  }

  /// Writes an archive of an open store to a file without blocking the caller.
  @discardableResult
  public func export(_ store: PersistentStore, to path: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: path) }
  }

  /// Writes an archive of an open store without blocking the caller.
  @discardableResult
  public func export(
    _ store: PersistentStore, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: target) }
  }
}

extension StoreImporter {
  /// Restores a store from an archive in a file without blocking the caller.
  @discardableResult
  public func `import`(_ archive: String, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try self.import(archive, to: store) }
  }

  /// Restores a store from a file descriptor without blocking the caller.
  @discardableResult
  public func `import`(fileDescriptor: Int32, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) {
      try self.import(fileDescriptor: fileDescriptor, to: store)
    }
  }
}

extension Verifier {
  /// Verifies a store or an archive without blocking the caller.
  @discardableResult
  public func verify(
    _ path: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, report: report) }
  }

  /// Verifies an open store without blocking the caller.
  @discardableResult
  public func verify(
    _ store: PersistentStore, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(store, report: report) }
  }

  /// Verifies an archive from a file descriptor without blocking the caller.
  @discardableResult
  public func verify(
    fileDescriptor: Int32, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) {
      try verify(fileDescriptor: fileDescriptor, report: report)
    }
  }
}

extension StoreCreator {
  /// Creates the store of a model without blocking the caller.
  @discardableResult
  public func create(_ model: String, at store: String) async throws -> CreationSummary {
    try await BackgroundWork.run { try create(model, at: store) }
  }
}

extension StoreInspector {
  /// Inspects a store or an archive without blocking the caller.
  public func inspect(_ path: String) async throws -> Inspection {
    try await BackgroundWork.run { try inspect(path) }
  }
}

extension StoreFinder {
  /// Searches a folder and its subfolders without blocking the caller.
  @discardableResult
  public func find(
    in path: String, found: @escaping @Sendable (FoundStore) throws -> Void
  ) async throws -> FindSummary {
    try await BackgroundWork.run(progress) { try find(in: path, found: found) }
  }
}

extension ModelLoader {
  /// Reads a model without blocking the caller.
  public static func model(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) async throws -> ManagedObjectModel {
    try await BackgroundWork.run {
      try model(from: path, version: version, archiveAccess: archiveAccess)
    }
  }

  /// Reads a model and its version hashes without blocking the caller.
  public static func load(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) async throws -> LoadedModel {
    try await BackgroundWork.run {
      try load(from: path, version: version, archiveAccess: archiveAccess)
    }
  }
}
