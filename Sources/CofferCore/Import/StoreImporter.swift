internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Restores a persistent store from an archive.
///
/// ```swift
/// let summary = try await StoreImporter().import("Trips.coffer.tar.gz", to: "Copy.sqlite")
/// print(summary.objectCount)
/// ```
///
/// The store appears only when it is complete and checked. An import that fails or is canceled
/// leaves nothing behind.
public struct StoreImporter: Sendable {
  /// The options for restoring the store.
  public var options: ImportOptions
  /// The receiver of progress.
  public var progress: any ProgressReporter

  /// Creates an importer with options and a receiver of its progress.
  public init(
    options: ImportOptions = ImportOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Restores a store from an archive in a file on the caller's thread.
  @discardableResult
  package func `import`(_ archive: String, to store: String) throws -> ImportSummary {
    try run(.file(path: archive), name: archive, store: store)
  }

  /// Restores a store from a file descriptor on the caller's thread.
  @discardableResult
  package func `import`(fileDescriptor: Int32, to store: String) throws -> ImportSummary {
    try run(.descriptor(fileDescriptor), name: "standard input", store: store)
  }

  /// Restores a store from a pipe that this process writes.
  ///
  /// - Parameters:
  ///   - pipe: the descriptor, which is not closed.
  ///   - name: what comes from it, for errors.
  ///   - archive: the path of an archive with about as many objects, for the progress.
  ///   - store: the path of the store.
  /// - Returns: what was restored.
  /// - Throws: the errors of `import(_:to:)`.
  package func `import`(
    pipe: Int32, named name: String, sizedAs archive: String, to store: String
  ) throws -> ImportSummary {
    try run(.descriptor(pipe, name: name), name: name, store: store, sizedAs: archive)
  }

  private func run(
    _ source: ArchiveSource, name: String, store: String, sizedAs archive: String? = nil
  ) throws -> ImportSummary {
    guard !options.salvages || !options.isStrict else {
      throw CofferError(
        .incompatibleChoices, path: name,
        detail: "a strict import refuses a store with errors, while salvaging accepts one",
        advice: "Use only one of the two.")
    }
    do {
      return try restore(source, name: name, store: store, sizedAs: archive)
    } catch {
      // Report a cut-off archive as such, whichever reader noticed it.
      try Task<Never, Never>.checkCancellation()
      guard let error = error as? CofferError, !options.salvages else { throw error }
      throw error.hintingAtSalvage
    }
  }

  private func restore(
    _ source: ArchiveSource, name: String, store: String, sizedAs archive: String?
  ) throws -> ImportSummary {
    let newUUID = options.storeUUID == .new ? UUID().uuidString : nil
    var readerOptions = options.environment.readerOptions()
    readerOptions.salvages = options.salvages
    readerOptions.donors = options.donors
    // The thread at the other end of the pipe needs memory too.
    if archive != nil { readerOptions.membersAhead = 1 }
    let reader = try ArchiveReader(source, options: readerOptions)
    let sized = archive.map { ArchiveSource.file(path: $0) } ?? source
    let total = reader.isRepacked ? nil : options.environment.objectCount(in: sized, for: progress)
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    let run = ImportRun(
      reader: reader, archive: name, placement: placement, options: options, newUUID: newUUID,
      objectTotal: total, progress: progress)
    do {
      return try run.complete()
    } catch {
      run.abandon()
      placement.abandon()
      throw placement.named(error, as: name)
    }
  }
}

extension StoreImporter {
  /// Restores a store from an archive file.
  ///
  /// - Throws: ``CofferError``: `not-an-archive`, `truncated-archive`, `damaged-archive`,
  ///   `newer-format`, `archive-limit` or `read-failed` if the archive cannot be read;
  ///   `output-exists`, `refused` or `write-failed` if the store cannot be written;
  ///   `incompatible-choices` if options conflict; `strict-findings` if a strict import finds
  ///   errors in the data. `CancellationError` if the task is canceled.
  ///
  /// When salvaging, only an archive without the two required documents is `truncated-archive` or
  /// `damaged-archive`.
  @discardableResult
  public func `import`(_ archive: String, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try self.import(archive, to: store) }
  }

  /// Restores a store from a file descriptor, such as 0 for standard input.
  ///
  /// Reads it to the end and does not close it.
  ///
  /// - Throws: the same errors as `import(_:to:)`.
  @discardableResult
  public func `import`(fileDescriptor: Int32, to store: String) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) {
      try self.import(fileDescriptor: fileDescriptor, to: store)
    }
  }
}
