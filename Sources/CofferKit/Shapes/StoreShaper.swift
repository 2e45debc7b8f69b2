internal import CoreDataArchive
internal import CoreDataModel
public import CoreDataStore

/// Writes the objects of a store or of an archive in another shape, for other programs to read.
///
/// ```swift
/// let shaper = StoreShaper(options: ShapeOptions(format: .csv))
/// let summary = try shaper.write("Trips.sqlite", to: "Trips")
/// for part in summary.parts { print(part.fileName, part.count) }
/// ```
///
/// This is no backup, and nothing reads it back: docs/other-shapes.md says what is lost. A store and
/// an archive of it give the same files.
public struct StoreShaper: Sendable {
  /// What is written, and how.
  public var options: ShapeOptions
  /// How a store is read.
  public var access: StoreAccess
  /// How an archive is read.
  public var archiveAccess: ArchiveAccess
  /// Who is told how far the work is.
  public var progress: any ProgressReporter

  /// Creates a shaper; the default access is safe in any app.
  public init(
    options: ShapeOptions, access: StoreAccess = .copy,
    archiveAccess: ArchiveAccess = ArchiveAccess(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.access = access
    self.archiveAccess = archiveAccess
    self.progress = progress
  }

  /// Writes the objects to a folder, which appears when all of it is complete.
  ///
  /// - Parameters:
  ///   - path: the store or the archive; which of both it is, its content tells.
  ///   - folder: the folder; its own folder must exist.
  /// - Returns: what was written, and what could not be written as it is.
  /// - Throws: `StoreError`: `output-exists`; `refused` for a folder that holds anything but an earlier
  ///   output; `write-failed`, `not-found`; ``ShapeError`` for entities that there are not; what opening and
  ///   reading a store or an archive throws; `CancellationError`. Nothing is left of an output that was
  ///   not completed.
  public func write(_ path: String, to folder: String) throws -> ShapeSummary {
    switch try SourceKind(ofFileAt: path) {
    case .archive:
      let archive = try OpenArchive(path: path, access: archiveAccess)
      try ModelFit.require(archive.documents, of: options.model, place: path)
      return try write(ArchiveRowSource(archive), to: folder)
    case .store:
      progress.report(WorkProgress(.opening))
      let store = try PersistentStore(readingFrom: path, access: access)
      return try store.readingAgainIfChanged { try write($0, to: folder) }
    }
  }

  private func write(_ store: PersistentStore, to folder: String) throws -> ShapeSummary {
    let store = try store.fitted(to: options.model)
    return try store.use { database in
      try write(StoreRowSource(store, database), to: folder)
    }
  }

  private func write(_ source: some RowSource, to path: String) throws -> ShapeSummary {
    let selection = try EntitySelection(options, of: source)
    let plan = ShapePlan(source, selection)
    let folder = try OutputFolder(at: path, replacing: options.isReplacing)
    do {
      let values = ShapeValues()
      let parts = try write(source, plan, values, to: folder)
      let fileCount = try ExternalFileCopies(source, values, folder, progress).complete()
      try source.requireUnchanged()
      try folder.commit()
      return ShapeSummary(
        format: options.format, parts: parts, externalFileCount: fileCount,
        excludedEntityCount: selection.excludedCount, otherTableCount: plan.otherTableCount,
        otherColumnCount: plan.otherColumnCount, warnings: values.warnings)
    } catch {
      folder.abandon()
      throw error
    }
  }

  private func write(
    _ source: some RowSource, _ plan: ShapePlan, _ values: ShapeValues, to folder: OutputFolder
  ) throws -> [ShapedPart] {
    let names = source.entities.names
    switch options.format {
    case .csv:
      let writer = LineFileWriter<CSVLine>(folder, values, entityNames: names)
      var run = ShapeRun(source, plan, writer, values, progress)
      return try run.complete()
    case .ndjson:
      let writer = LineFileWriter<NDJSONLine>(folder, values, entityNames: names)
      var run = ShapeRun(source, plan, writer, values, progress)
      return try run.complete()
    case .sqlite: return try writeDatabase(source, plan, values, to: folder)
    }
  }

  private func writeDatabase(
    _ source: some RowSource, _ plan: ShapePlan, _ values: ShapeValues, to folder: OutputFolder
  ) throws -> [ShapedPart] {
    let name = "\(ShapeFileNames.databaseName(of: source.path)).sqlite"
    let plain = try PlainDatabase(at: folder.pathOfFile(name), place: "\(folder.path)/\(name)")
    do {
      let parts = try plain.use { database in
        let writer = DatabaseWriter(database, values, source, plan, fileName: name)
        var run = ShapeRun(source, plan, writer, values, progress)
        return try run.complete()
      }
      progress.report(WorkProgress(.references))
      values.note(.danglingReference, count: try plain.finish())
      return parts
    } catch {
      plain.abandon()
      throw error
    }
  }
}
