package import CofferCore
package import CoreDataArchive
package import CoreDataModel

/// A full archive and the changes since, read as one state.
///
/// ```swift
/// let chain = try BackupChain(
///   full: "Sunday.coffer.tar.gz", changes: ["Monday.tar.gz", "Tuesday.tar.gz"])
/// try chain.write(to: .file("State.coffer.tar.gz"))
/// ```
///
/// The written archive is byte for byte the same as an export of that state with the same options. Rows are
/// merged in the order of their keys, so memory does not depend on their number. Unchanged parts are copied.
package struct BackupChain {
  /// Passes on the bytes of a file of external binary data that is not in its change file, piece by
  /// piece, given its SHA-256 digest in hexadecimal digits.
  package typealias FileReader = (_ digest: String, _ body: ([UInt8]) throws -> Void) throws -> Void

  private let full: OpenArchive
  private let changes: ChangesConcatenation?
  private let readFile: FileReader?
  /// The description of the state.
  package let description: ChangesDescription
  /// The content digest of the state.
  package let contentDigest: String

  /// Opens a chain and checks that each link begins with the state in which the previous one ends.
  ///
  /// - Parameters:
  ///   - full: the path of an archive.
  ///   - changes: the paths of change files, in the order in which they follow each other. They may
  ///     lack the previous values.
  ///   - environment: the environment for reading them.
  ///   - readFile: reads the files that are not in the change files; nil if there are none.
  /// - Throws: ``CofferError``: `wrong-state` if a link does not follow the previous one, or does not
  ///   record its two states; `model-mismatch` if the model or schema changes; errors from reading.
  package init(
    full: String, changes: [String], environment: WorkEnvironment = WorkEnvironment(),
    readFile: FileReader? = nil
  ) throws(CofferError) {
    self.full = try OpenArchive(path: full, environment: environment)
    self.readFile = readFile
    var files: [ChangesFile] = []
    for path in changes { files.append(try ChangesFile(path: path, environment: environment)) }
    var state = ChangesDocument.State(
      self.full.documents.schema, digest: self.full.file.index.contentDigest.hex)
    for file in files {
      guard let before = file.before.digest, file.after.digest != nil else {
        throw Self.gap(file, "it does not record its two states")
      }
      guard before == state.digest, file.before.hasSameSettings(as: state) else {
        throw Self.gap(file, "it does not start from the state at which the previous one ends")
      }
      state = file.after
    }
    contentDigest = state.digest ?? ""
    description = ChangesDescription(files.last?.documents ?? self.full.documents)
    guard let first = files.first else {
      self.changes = nil
      return
    }
    try StateCompatibility.require(self.full.documents, first.documents, path: first.path)
    self.changes = try ChangesConcatenation(files)
  }

  private static func gap(_ file: ChangesFile, _ detail: String) -> CofferError {
    CofferError(
      .wrongState, path: file.path, detail: detail,
      advice: "Give the full archive, then its changes in chronological order.")
  }

  /// The state, to read some of its rows.
  ///
  /// - Parameters:
  ///   - path: the name of the state in errors.
  ///   - environment: has the model that the state must be of.
  ///   - loadsOutOfLineValues: whether to read values in their own entries with their row.
  /// - Returns: the source.
  /// - Throws: ``CofferError`` with `model-mismatch`.
  package func source(
    path: String, _ environment: WorkEnvironment = WorkEnvironment(),
    loadsOutOfLineValues: Bool = false
  ) throws -> ChainSource {
    try environment.requireModel(of: full, place: path)
    return ChainSource(
      full, changes, description, readFile, path: path, loadsOutOfLineValues: loadsOutOfLineValues)
  }

  /// Writes an archive of the state.
  ///
  /// - Returns: the summary of the archive.
  /// - Throws: ``CofferError``: `wrong-state` if the rows differ from the state that the changes begin
  ///   with, or the result does not have the recorded content digest; errors from reading and writing;
  ///   `CancellationError`. Nothing remains of an incomplete archive.
  @discardableResult
  package func write(
    to target: ArchiveTarget, options: ChainOptions = ChainOptions()
  ) throws -> ChainSummary {
    try write(to: target.destination, options, witness: nil).summary
  }

  /// Does everything except writing an archive of the state.
  ///
  /// - Returns: the entries of the archive, whose content digest is the state's.
  /// - Throws: the errors of ``write(to:options:)``; errors from the witness.
  package func read(witness: some RowWitness) throws -> ArchiveIndex {
    try write(to: .nowhere, ChainOptions(level: 0), witness: witness).index
  }

  /// Reads everything and computes the state, without writing an archive.
  package func verify() throws { _ = try write(to: .nowhere, ChainOptions(level: 0), witness: nil) }

  private func write(
    to destination: ArchiveDestination, _ options: ChainOptions, witness: (any RowWitness)?
  ) throws -> (summary: ChainSummary, index: ArchiveIndex) {
    let writer = try ArchiveWriter(
      to: destination,
      options: ArchiveWriterOptions(
        compression: options.compression, level: options.level,
        threads: options.threads ?? ArchiveWriterOptions.defaultThreads,
        encryption: options.encryption))
    defer { writer.abandon() }
    return try ChainRun(
      full, changes, description, readFile, to: writer, options, witness: witness
    ).complete(contentDigest)
  }
}

/// Options for writing the archive of a chain.
package struct ChainOptions: Sendable {
  /// The compression of the archive.
  package var compression: ArchiveCompression
  /// The compression level, one of the ``ArchiveCompression/levels``; nil for its default.
  package var level: Int?
  /// The number of threads that compress; nil for one per processor, at most four.
  package var threads: Int?
  /// Who can read the archive; nil for everyone.
  package var encryption: ArchiveEncryption?
  /// Whether the full archive was written with the same compression and level, so that unchanged parts
  /// are copied in compressed form.
  package var reusesMembers: Bool
  /// Whether the digests of parts that are copied in compressed form are left to the reader of the result.
  package var leavesDigests = false

  /// Creates options.
  package init(
    compression: ArchiveCompression = .gzip, level: Int? = nil, threads: Int? = nil,
    encryption: ArchiveEncryption? = nil, reusesMembers: Bool = false
  ) {
    self.compression = compression
    self.level = level
    self.threads = threads
    self.encryption = encryption
    self.reusesMembers = reusesMembers
  }
}

/// The archive that was written from a chain.
package struct ChainSummary: Sendable, Equatable {
  /// The number of objects.
  package var objectCount = 0
  /// The root digest in hexadecimal digits.
  package var digest = ""
  /// The content digest in hexadecimal digits.
  package var contentDigest = ""
  /// The size of the archive in bytes.
  package var byteCount = 0
}
