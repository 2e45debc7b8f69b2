internal import CoreDataArchive
public import CoreDataStore

/// Backs a persistent store up to an archive.
///
/// ```swift
/// let store = try PersistentStore(readingFrom: "Trips.sqlite")
/// let summary = try StoreExporter().export(store, to: "Trips.coffer.tar.gz")
/// print(summary.objectCount)
/// ```
///
/// Two exports of one store are equal byte for byte, unless they are encrypted. A store with defects in its data is backed up
/// like any other.
public struct StoreExporter: Sendable {
  /// How the archive is written.
  public var options: ExportOptions
  /// Who is told how far the work is.
  public var progress: any ProgressReporter

  /// Creates an exporter.
  public init(
    options: ExportOptions = ExportOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
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
  /// - Throws: ``CofferError`` when the store cannot be read on, `CofferError` when the archive
  ///   cannot be written (`output-exists`, `write-failed`, `output-closed`), `CofferError` with
  ///   `model-mismatch` when the model of the options is another one, `CancellationError`
  ///   when the task is cancelled. Nothing is left of an archive that was not completed. With
  ///   ``ExportOptions/salvages``, damage of the store is no error but a finding.
  ///
  /// A store that is read in place, and that somebody changes meanwhile, is exported once more from a
  /// private copy, as it is by then; not where a part of the archive is gone already.
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
