public import CoreDataArchive
public import CoreDataStore

/// Backs up persistent stores to archives.
///
/// ```swift
/// let store = try PersistentStore(readingFrom: "Trips.sqlite")
/// let summary = try await StoreExporter().export(store, to: "Trips.coffer.tar.gz")
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

  /// The bytes of lines, or of blobs, at which a part of an archive is full.
  package var partSize: Int { options.division.rule.most }

  /// Creates an exporter with options.
  public init(
    options: ExportOptions = ExportOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Opens a store and writes an archive to a file on the caller's thread.
  @discardableResult
  package func export(storeAt store: String, to archive: String) throws -> ExportSummary {
    try export(storeAt: store, to: .file(archive))
  }

  /// Opens a store and writes an archive on the caller's thread.
  @discardableResult
  package func export(storeAt store: String, to target: ArchiveTarget) throws -> ExportSummary {
    progress.report(WorkProgress(.opening))
    return try export(PersistentStore(readingFrom: store), to: target)
  }

  /// Writes an archive of an open store to a file on the caller's thread.
  @discardableResult
  package func export(_ store: PersistentStore, to path: String) throws -> ExportSummary {
    try export(store, to: .file(path))
  }

  /// Writes an archive of an open store on the caller's thread.
  @discardableResult
  package func export(_ store: PersistentStore, to target: ArchiveTarget) throws -> ExportSummary {
    let destination = target.destination
    return switch target {
    case .fileDescriptor: try write(store, to: destination)
    case .file: try store.readingAgainIfChanged { try write($0, to: destination) }
    }
  }

  /// Computes the content digest that an archive of a store has, without writing one.
  ///
  /// It reads and encodes as much as an export, but neither compresses nor writes.
  ///
  /// - Throws: as `export(_:to:)` to an ``ArchiveTarget``, except for errors of the archive.
  /// - Returns: the digest in hexadecimal digits.
  package func contentDigest(of store: PersistentStore) throws -> String {
    try store.readingAgainIfChanged { store in
      let store = try store.fitted(to: options.environment.model)
      return try store.use { try contentDigest(of: store, $0) }
    }
  }

  /// Computes the content digest that an archive of a store has, whose database is in use.
  ///
  /// - Throws: the errors of ``contentDigest(of:)``; `store-busy` if the store changes meanwhile.
  package func contentDigest(of store: PersistentStore, _ database: SQLiteDatabase) throws -> String
  {
    try read(store, database, witness: nil).summary.contentDigest
  }

  /// Does all of an export but writing, in a store whose database is in use.
  ///
  /// - Parameters:
  ///   - store: the store, which has the model of the options.
  ///   - database: its database.
  ///   - witness: receives the records of the rows; nil for none.
  /// - Returns: the summary of the export.
  /// - Throws: the errors of ``contentDigest(of:)``; `store-busy` if the store changes meanwhile; errors
  ///   from the witness.
  package func read(
    _ store: PersistentStore, _ database: SQLiteDatabase, witness: (any RowWitness)?
  ) throws -> ExportedArchive {
    var reading = self
    reading.options.compression = .gzip
    (reading.options.level, reading.options.encryption) = (0, nil)
    return try reading.write(store, database, to: .nowhere, witness: witness)
  }

  private func write(
    _ store: PersistentStore, to destination: ArchiveDestination
  ) throws -> ExportSummary {
    let store = try store.fitted(to: options.environment.model)
    return try store.use { try write(store, $0, to: destination).summary }
  }

  /// Writes an archive of a store whose database is in use.
  ///
  /// - Parameters:
  ///   - store: the store, which has the model of the options.
  ///   - database: its database.
  ///   - destination: where the archive goes.
  ///   - witness: receives the records of the rows; nil for none.
  /// - Returns: the summary of the export.
  /// - Throws: the errors of ``export(_:to:)``; `store-busy` if the store changes meanwhile; errors from
  ///   the witness.
  package func write(
    _ store: PersistentStore, _ database: SQLiteDatabase, to destination: ArchiveDestination,
    witness: (any RowWitness)? = nil
  ) throws -> ExportedArchive {
    let writer = try ArchiveWriter(
      to: destination,
      options: ArchiveWriterOptions(
        compression: options.compression, level: options.level,
        threads: options.threadCount,
        encryption: options.encryption))
    do {
      var run = ExportRun(
        store: store, database: database, writer: writer, options: options, progress: progress,
        witness: witness)
      return try run.complete()
    } catch {
      writer.abandon()
      throw error
    }
  }
}

/// The result of an export.
package struct ExportedArchive {
  /// The result as reported.
  package var summary: ExportSummary
  /// The entries of the archive.
  package var index: ArchiveIndex
  /// The losses of a salvage.
  package var losses: SalvageDocument
}

/// The destination of an archive.
public enum ArchiveTarget: Sendable, Equatable {
  /// A file, which appears under its name only when it is complete.
  case file(String, overwriting: Bool = false)
  /// An open file descriptor, such as 1 for standard output, which is not closed.
  case fileDescriptor(Int32)

  /// The same for the writer of archives.
  package var destination: ArchiveDestination {
    switch self {
    case .file(let path, let overwriting): .file(path: path, overwriting: overwriting)
    case .fileDescriptor(let descriptor): .descriptor(descriptor)
    }
  }
}

/// The options of an export.
public struct ExportOptions: Sendable, Equatable {
  /// The compression of the archive; the digests do not depend on it.
  public var compression: ArchiveCompression
  /// The compression level, one of the ``ArchiveCompression/levels``; nil for its default.
  public var level: Int?
  /// The number of threads that read and compress; nil for one per processor, at most four.
  ///
  /// It does not affect the bytes of the archive. Each thread takes about 6 MiB of memory, more at
  /// levels above 9.
  public var threads: Int?
  /// Whether to export everything readable from a damaged store and report the losses.
  ///
  /// Open the store with `PersistentStore(salvaging:)`. An undamaged store gives the same bytes
  /// either way. Every table is read once more before anything is written.
  public var salvages: Bool
  /// The codes of findings that are not reported, such as of a file that is known to be missing; the
  /// archive is the same.
  public var skippedCodes: Set<FindingCode> = []

  /// Who can read the archive; nil for everyone.
  ///
  /// Each encrypted archive has its own key, so no two have the same bytes.
  public var encryption: ArchiveEncryption?

  /// The environment for reading the store.
  ///
  /// A store without a copy of its model is exported with the names and types of the environment's model. A
  /// store with a copy must have the same model.
  public var environment = WorkEnvironment()

  var readerLimits = ArchiveLimits.standard

  /// Whether a salvage leaves out statements of the schema that an import refuses to run.
  package var leavesOutUnusualStatements = false

  /// The losses of the damaged archive that the store was restored from; nil for nothing.
  package var losses: SalvageDocument?

  /// The division of the work among threads.
  var division = ExportDivision()

  var threadCount: Int { threads ?? ArchiveWriterOptions.defaultThreads }

  /// Creates options; by default, gzip, one thread per processor, and no encryption.
  public init(
    compression: ArchiveCompression = .gzip, level: Int? = nil, threads: Int? = nil,
    salvages: Bool = false, encryption: ArchiveEncryption? = nil
  ) {
    self.compression = compression
    self.level = level
    self.threads = threads
    self.salvages = salvages
    self.encryption = encryption
  }
}

/// The result of an export.
public struct ExportSummary: Sendable {
  /// The content of the archive.
  public var content: ContentCounts
  /// The number of managed objects in the archive.
  public var objectCount: Int { content.objectCount }
  /// The archive's root digest in hexadecimal digits: equal for equal archives, however they are
  /// compressed, packed or encrypted.
  public var digest: String
  /// The content digest in hexadecimal digits: equal for archives of equal data.
  ///
  /// It leaves out the documents that describe the data: manifest, model, schema, layout, losses.
  public var contentDigest: String
  /// The size of the entries in bytes, before compression.
  public var plainByteCount: Int
  /// The size of the archive in bytes.
  public var byteCount: Int
  /// The losses; nil if nothing was lost, so that the archive equals an archive of a sound store.
  public var salvage: SalvageFacts?
  /// The findings, mainly missing files of external binary data.
  public var findings: [Finding]
  /// The number of errors among the findings, including unlisted ones.
  public var errorCount: Int
  /// The number of warnings among the findings, including unlisted ones.
  public var warningCount: Int
  /// The number of findings of severity `info`, including unlisted ones.
  public var infoCount: Int
  /// The limits that the archive exceeds, each with the value that its readers must allow.
  package var raisedLimits: [ArchiveLimits.Name: Int]
  /// The groups of limits that the archive exceeds, each with the factor that its readers must allow
  /// (``WorkEnvironment/limits``); empty for nearly all stores.
  public var limitFactors: [ArchiveLimits.Group: Int] {
    Dictionary(
      raisedLimits.map { ($0.key.group, $0.key.factor(for: $0.value)) }, uniquingKeysWith: max)
  }
}

extension StoreExporter {
  /// Opens a store and writes an archive to a file, which must not be there yet.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - archive: the path of the archive.
  /// - Returns: what was written.
  /// - Throws: as ``PersistentStore/init(readingFrom:access:)``, and as
  ///   `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(storeAt store: String, to archive: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: archive) }
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
  public func export(
    storeAt store: String, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(storeAt: store, to: target) }
  }

  /// Writes an archive to a file, which must not be there yet.
  ///
  /// - Throws: as `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(_ store: PersistentStore, to path: String) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: path) }
  }

  /// Writes an archive.
  ///
  /// - Throws: ``CofferError`` if the store cannot be read, `CofferError` if the archive cannot be
  ///   written (`output-exists`, `write-failed`, `output-closed`), `CofferError` with
  ///   `model-mismatch` if the store has a different model than the options, `CancellationError` if
  ///   the task is canceled. Nothing remains of an incomplete archive. With
  ///   ``ExportOptions/salvages``, damage is a finding and not an error.
  ///
  /// If someone changes a store that is read in place, it is exported again from a private copy,
  /// unless part of the archive has already been sent.
  @discardableResult
  public func export(
    _ store: PersistentStore, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: target) }
  }
}
