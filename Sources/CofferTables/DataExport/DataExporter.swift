public import CofferCore
internal import CoreDataLayout
internal import CoreDataStore

/// Writes the objects of a store or archive for other programs.
///
/// ```swift
/// let exporter = DataExporter(options: DataExportOptions(format: .csv))
/// let summary = try await exporter.write("Trips.sqlite", to: "Trips")
/// for part in summary.parts { print(part.fileName, part.count) }
/// ```
///
/// The result is not a backup: docs/data-export.md lists the missing parts. A store and its archive
/// give the same files.
public struct DataExporter: Sendable {
  /// What to write, and how.
  public var options: DataExportOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates an exporter.
  public init(options: DataExportOptions, progress: any ProgressReporter = SilentProgress()) {
    self.options = options
    self.progress = progress
  }

  /// Writes the objects of a store or an archive to a folder on the caller's thread.
  package func write(_ path: String, to folder: String) throws -> DataExportSummary {
    var opening = SourceOpening(options.environment)
    opening.progress = progress
    // Every value that fits into an SQLite row is read with it.
    opening.blobLimit = .max
    opening.repeatsIfChanged = true
    opening.checksPages = true
    return try opening.open(path, for: Writing(exporter: self, folder: folder))
  }

  private struct Writing: SourceUse {
    let exporter: DataExporter
    let folder: String

    func use(_ source: some RowSource) throws -> DataExportSummary {
      try exporter.write(source, to: folder)
    }
  }

  /// Writes the objects of an open source; throws the errors of `write(_:to:)` for a path, except for opening.
  package func write(_ source: some RowSource, to path: String) throws -> DataExportSummary {
    let selection = try EntitySelection(
      options.entityNames, excluding: options.excludedEntityNames,
      of: [(source.model, source.entities)], path: source.path)
    let plan = DataExportPlan(source, selection, skipsEmpty: options.skipsEmpty)
    let partition = try options.partition.map { _ in
      try PartitionFolder(in: path, for: source, options)
    }
    do {
      return try write(source, plan, selection, to: partition?.path ?? path, partition)
    } catch {
      partition?.abandon()
      throw error
    }
  }

  private func write(
    _ source: some RowSource, _ plan: DataExportPlan, _ selection: EntitySelection,
    to path: String, _ partition: PartitionFolder?
  ) throws -> DataExportSummary {
    let folder = try OutputFolder(at: path, replacing: options.overwriting)
    defer { folder.abandon() }
    let values = DataValues()
    let parts = try write(source, plan, values, to: folder)
    if options.format.isText {
      try DataPackage(plan: plan, format: options.format, files: parts).write(to: folder)
    }
    try partition?.record(in: folder)
    let fileCount = try ExternalFileCopies(
      source: source, values: values, folder: folder, progress: progress
    ).complete()
    try source.requireUnchanged()
    try folder.commit()
    return DataExportSummary(
      folder: folder.path, format: options.format, parts: parts, externalFileCount: fileCount,
      excludedEntityCount: selection.excludedCount, otherTableCount: plan.otherTableCount,
      otherColumnCount: plan.otherColumnCount, warnings: values.warnings)
  }

  private func write(
    _ source: some RowSource, _ plan: DataExportPlan, _ values: DataValues, to folder: OutputFolder
  ) throws -> [DataFile] {
    let names = source.entities.names
    switch options.format {
    case .csv:
      let writer = LineFileWriter<CSVLine>(folder, values, entityNames: names)
      var run = DataExportRun(source, plan, writer: writer, values: values, progress: progress)
      return try run.complete()
    case .ndjson:
      let writer = LineFileWriter<NDJSONLine>(folder, values, entityNames: names)
      var run = DataExportRun(source, plan, writer: writer, values: values, progress: progress)
      return try run.complete()
    case .sqlite: return try writeDatabase(source, plan, values, to: folder)
    }
  }

  private func writeDatabase(
    _ source: some RowSource, _ plan: DataExportPlan, _ values: DataValues, to folder: OutputFolder
  ) throws -> [DataFile] {
    let name = "\(DataFileNames.databaseName(of: source.path)).sqlite"
    let plain = try PlainDatabase(at: folder.pathOfFile(name), place: "\(folder.path)/\(name)")
    defer { plain.abandon() }
    let parts = try plain.use { database in
      let writer = DatabaseWriter(database, values, source, plan, fileName: name)
      var run = DataExportRun(source, plan, writer: writer, values: values, progress: progress)
      return try run.complete()
    }
    progress.report(WorkProgress(.references))
    values.note(.danglingReference, count: try plain.finish())
    return parts
  }
}

extension DataExporter {
  /// Writes the objects to a folder, which appears only when it is complete.
  ///
  /// - Parameters:
  ///   - path: the store or archive, recognized by its content.
  ///   - folder: the folder to create; its parent must exist. With a partition: the folder of all
  ///     sources, which is created if necessary.
  /// - Returns: the written parts, and the values that could not be written exactly.
  /// - Throws: `CofferError`: `output-exists`; `refused` for a folder that contains anything but an earlier
  ///   output, and for a partition of a source without a valid UUID; `write-failed`, `not-found`;
  ///   ``CofferError`` for unknown entities; the errors of opening and reading a store or archive;
  ///   `CancellationError`. Nothing remains of an incomplete output.
  @discardableResult
  public func write(_ path: String, to folder: String) async throws -> DataExportSummary {
    try await BackgroundWork.run(progress) { try write(path, to: folder) }
  }
}

/// Copies the files of external binary data that the written objects refer to.
struct ExternalFileCopies<Source: RowSource> {
  let source: Source
  let values: DataValues
  let folder: OutputFolder
  let progress: any ProgressReporter

  private var folderName: String { "External" }

  /// Copies the files, and counts missing ones; returns the number of copied files.
  func complete() throws -> Int {
    // There can be a million names of missing files.
    let names = values.takeExternalFiles().sorted()
    let files = try names.isEmpty ? [:] : source.externalFiles()
    var count = 0
    for (index, name) in names.enumerated() {
      try Task<Never, Never>.checkCancellation()
      progress.report(WorkProgress(.externalData, completed: index, total: names.count))
      if let file = files[name], try copy(file, named: name.text) {
        count += 1
      } else {
        values.note(.missingFile)
      }
    }
    if !names.isEmpty {
      progress.report(WorkProgress(.externalData, completed: names.count, total: names.count))
    }
    return count
  }

  private func copy(_ found: SupportFolder.File, named name: String) throws -> Bool {
    let file = "\(folderName)/\(name)"
    var isCreated = false
    let isThere = try unsafe source.read(found) { bytes in
      if !isCreated { try folder.create(file) }
      isCreated = true
      try unsafe folder.append(bytes, to: file)
    }
    if isThere, !isCreated { try folder.create(file) }
    return isThere
  }
}

extension RowSource {
  func externalFiles() throws -> [ExternalFileName: SupportFolder.File] {
    var files: [ExternalFileName: SupportFolder.File] = [:]
    for file in try self.files() {
      if let name = file.externalName.flatMap(ExternalFileName.init) { files[name] = file }
    }
    return files
  }
}
