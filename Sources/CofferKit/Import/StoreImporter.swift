internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Restores a persistent store from an archive.
///
/// ```swift
/// let summary = try StoreImporter().import("Trips.coffer.tar.gz", to: "Copy.sqlite")
/// print(summary.objectCount)
/// ```
///
/// The store appears in its place when it is complete and known to be what was backed up, and not
/// before: an import that fails or is cancelled leaves nothing.
public struct StoreImporter: Sendable {
  /// How the store is restored.
  public var options: ImportOptions
  /// Who is told how far the work is.
  public var progress: any ProgressReporter

  /// Creates an importer.
  public init(
    options: ImportOptions = ImportOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Restores a store from an archive in a file.
  ///
  /// - Throws: `CofferError` when the archive cannot be read: `not-an-archive`, `truncated-archive`,
  ///   `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`; `CofferError` when the store
  ///   cannot be written: `output-exists`, `refused`, `write-failed`; ``CofferError`` when the options
  ///   do not go together, or something is wrong in the data and they are strict;
  ///   `CancellationError` when the task is cancelled.
  ///
  /// Where the options say that the archive is salvaged, `truncated-archive` and `damaged-archive` remain
  /// for archives without the two documents without which nothing can be restored.
  @discardableResult
  public func `import`(_ archive: String, to store: String) throws -> ImportSummary {
    try run(.file(path: archive), name: archive, store: store)
  }

  /// Restores a store from an archive that comes through a file descriptor, such as 0 for standard
  /// input; it is read to its end and not closed.
  ///
  /// - Throws: as `import(_:to:)`.
  @discardableResult
  public func `import`(fileDescriptor: Int32, to store: String) throws -> ImportSummary {
    try run(.descriptor(fileDescriptor), name: "standard input", store: store)
  }

  private func run(
    _ source: ArchiveSource, name: String, store: String
  ) throws -> ImportSummary {
    guard !options.salvages || !options.isStrict else {
      throw CofferError(
        .incompatibleChoices, path: name,
        detail: "a strict import refuses a store with errors, while salvaging accepts one",
        advice: "Use only one of the two.")
    }
    do {
      return try restore(source, name: name, store: store)
    } catch {
      // Whatever the end looked like where it was noticed.
      try Task<Never, Never>.checkCancellation()
      guard let error = error as? CofferError, !options.salvages else { throw error }
      throw error.hintingAtSalvage
    }
  }

  private func restore(
    _ source: ArchiveSource, name: String, store: String
  ) throws -> ImportSummary {
    let newUUID = options.storeUUID == .new ? UUID().uuidString : nil
    var readerOptions = options.archiveAccess.readerOptions()
    readerOptions.salvages = options.salvages
    let reader = try ArchiveReader(source, options: readerOptions)
    let total =
      reader.isRepacked ? nil : options.archiveAccess.objectCount(in: source, for: progress)
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    let run = ImportRun(
      reader: reader, archive: name, placement: placement, options: options, newUUID: newUUID,
      objectTotal: total, progress: progress)
    do {
      return try run.complete()
    } catch {
      run.abandon()
      placement.abandon()
      throw error
    }
  }
}
