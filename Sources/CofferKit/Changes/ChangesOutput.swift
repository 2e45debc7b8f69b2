public import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A file of changes that is being written.
struct ChangesOutput {
  private let writer: ArchiveWriter
  private let documents: ChangesDescription

  /// Writes a file of changes.
  ///
  /// - Parameters:
  ///   - target: where it goes.
  ///   - documents: what both states have in common.
  ///   - states: the two states.
  ///   - options: how it is written.
  ///   - body: writes the changes, and counts them.
  /// - Returns: the counts, with the digest and the size of the file.
  /// - Throws: errors from the body, and of ``ArchiveWriter``; then nothing remains of the file.
  static func write(
    to target: ArchiveTarget, _ documents: ChangesDescription, _ states: ChangesDocument,
    _ options: ChangesOptions, _ body: (ChangesOutput, inout ChangesSummary) throws -> Void
  ) throws -> ChangesSummary {
    let output = try ChangesOutput(to: target, documents, options)
    do {
      var summary = ChangesSummary()
      try body(output, &summary)
      summary.add(states, of: documents.manifest)
      try output.writer.add(ArchiveEntryName.changes, document: states.encoded())
      summary.digest = try output.writer.finish().rootDigest.hex
      summary.byteCount = output.writer.byteCount
      return summary
    } catch {
      output.writer.abandon()
      throw error
    }
  }

  /// Opens the file and writes its documents.
  private init(
    to target: ArchiveTarget, _ documents: ChangesDescription, _ options: ChangesOptions
  ) throws(CofferError) {
    let destination: ArchiveDestination =
      switch target {
      case .file(let path, let overwriting): .file(path: path, overwriting: overwriting)
      case .fileDescriptor(let descriptor): .descriptor(descriptor)
      }
    let writer = try ArchiveWriter(
      to: destination,
      options: ArchiveWriterOptions(level: options.level, encryption: options.encryption))
    self.writer = writer
    self.documents = documents
    do throws(CofferError) {
      try writer.add(ArchiveEntryName.manifest, document: documents.manifest.encoded())
      try writer.add(
        ArchiveEntryName.model,
        document: ModelDocument(model: documents.model, versionHashes: documents.versionHashes)
          .value)
      try writer.add(ArchiveEntryName.schema, document: documents.schema.encoded())
      try writer.add(ArchiveEntryName.layout, document: documents.layout.encoded())
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// What writes the changes of a table, one after the other in the order of the layout.
  func table(_ shape: TableLayout) -> TableChangesWriter {
    TableChangesWriter(
      shape, documents.layout.entities, schema: documents.schema, to: writer)
  }

  /// Writes a file of the support folder as it is before or after the changes.
  ///
  /// - Throws: errors from the closure, and of ``ArchiveWriter``.
  func addFile(
    _ components: [String], isAfter: Bool, size: Int,
    _ read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try writer.beginEntry(
      name: ExternalEntryName.change(to: components, isAfter: isAfter), size: size)
    try unsafe read { unsafe try writer.write($0) }
    try writer.endEntry()
  }

  /// Copies a file of the support folder, as it is before and after, from other files of changes.
  ///
  /// - Throws: errors from reading, and of ``ArchiveWriter``.
  func copy(_ file: ChangedFile, before: ChangesFile, after: ChangesFile) throws {
    for (entry, source, isAfter) in [(file.before, before, false), (file.after, after, true)] {
      guard let entry else { continue }
      try unsafe addFile(file.components, isAfter: isAfter, size: entry.size) {
        unsafe try source.archive.file.readPieces(of: entry.name, $0)
      }
    }
  }
}

/// What the documents of a file of changes say of both states.
struct ChangesDescription {
  var manifest: ArchiveManifest
  let model: ManagedObjectModel
  let versionHashes: [ExactString: VersionHash]
  let schema: SchemaDocument
  let layout: LayoutDocument

  /// The description of the states of a source.
  init(_ source: some RowSource) throws {
    let metadata = try source.metadata()
    model = source.model
    versionHashes = metadata.modelVersionHashes
    schema = source.schema
    layout = LayoutDocument(
      entities: source.entities, tables: source.shapes.map(Self.holdingChanges))
    manifest = ArchiveManifest(
      storeUUID: metadata.uuid, frameworkVersion: metadata.frameworkVersion,
      modelSource: source.model.source.rawValue,
      entityNames: source.entities.entities.map(\.name))
    manifest.kind = .changes
  }

  /// The description in a file of changes.
  init(_ documents: ArchiveDocuments) {
    manifest = documents.manifest
    model = documents.model
    versionHashes = documents.versionHashes
    schema = documents.schema
    layout = documents.layout
  }

  /// A table with the folder that its changes have.
  private static func holdingChanges(_ shape: TableLayout) -> TableLayout {
    guard shape.kind == .entity, let slash = shape.folder.firstIndex(of: "/") else { return shape }
    var shape = shape
    shape.folder = "changes" + shape.folder[slash...]
    return shape
  }
}

/// Options for writing files of changes.
public struct ChangesOptions: Sendable, Equatable {
  /// The compression level: 0 stores, 1 is fastest, 6 is the default, 12 is smallest.
  public var level = 6
  /// Who can read the file; nil for everyone.
  public var encryption: ArchiveEncryption? = nil

  /// Creates the default options.
  public init() {}
}
