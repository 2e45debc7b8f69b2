internal import CoreDataArchive
public import CoreDataStore

/// Backs up persistent stores to archives.
///
/// ```swift
/// let store = try PersistentStore(readingFrom: "Trips.sqlite")
/// let summary = try StoreExporter().export(store, to: "Trips.coffer.tar.gz")
/// print(summary.objectCount)
/// ```
///
/// Two exports of the same store have the same bytes, unless they are encrypted. Defects in the
/// data do not prevent an export.
public struct StoreExporter: Sendable {
  /// The options of the export.
  public var options: ExportOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates an exporter with options.
  public init(
    options: ExportOptions = ExportOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Opens a store and writes an archive to a file, which must not be there yet.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - archive: the path of the archive.
  /// - Returns: what was written.
  /// - Throws: as ``PersistentStore/init(readingFrom:access:)``, and as
  ///   `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(storeAt store: String, to archive: String) throws -> ExportSummary {
    try export(storeAt: store, to: .file(archive))
  }

  /// Opens a store and writes an archive.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - target: where the archive goes.
  /// - Returns: what was written.
  /// - Throws: as ``PersistentStore/init(readingFrom:access:)``, and as
  ///   `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(storeAt store: String, to target: ArchiveTarget) throws -> ExportSummary {
    progress.report(WorkProgress(.opening))
    return try export(PersistentStore(readingFrom: store), to: target)
  }

  /// Writes an archive to a file, which must not be there yet.
  ///
  /// - Throws: as `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(_ store: PersistentStore, to path: String) throws -> ExportSummary {
    try export(store, to: .file(path))
  }

  /// Writes an archive.
  ///
  /// - Throws: ``CofferError`` if the store cannot be read, `CofferError` if the archive cannot be
  ///   written (`output-exists`, `write-failed`, `output-closed`), `CofferError` with
  ///   `model-mismatch` if the store has a different model than the options, `CancellationError`
  ///   when the task is cancelled. Nothing remains of an incomplete archive. With
  ///   ``ExportOptions/salvages``, damage is a finding and not an error.
  ///
  /// If someone changes a store that is read in place, it is exported again from a private copy,
  /// unless part of the archive has already been sent.
  @discardableResult
  public func export(_ store: PersistentStore, to target: ArchiveTarget) throws -> ExportSummary {
    switch target {
    case .fileDescriptor(let descriptor): return try write(store, to: .descriptor(descriptor))
    case .file(let path, let overwriting):
      let file = ArchiveDestination.file(path: path, overwriting: overwriting)
      return try store.readingAgainIfChanged { try write($0, to: file) }
    }
  }

  private func write(
    _ store: PersistentStore, to destination: ArchiveDestination
  ) throws -> ExportSummary {
    let store = try store.fitted(to: options.model)
    let writer = try ArchiveWriter(
      to: destination,
      options: ArchiveWriterOptions(
        level: options.level,
        threads: options.threads ?? ArchiveWriterOptions.defaultThreads,
        encryption: options.encryption))
    do {
      return try store.use { database in
        var run = ExportRun(
          store: store, database: database, writer: writer, salvages: options.salvages,
          progress: progress)
        return try run.complete()
      }
    } catch {
      writer.abandon()
      throw error
    }
  }
}
