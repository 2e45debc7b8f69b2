package import CofferCore
public import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore

/// A change file that is being written.
package final class ChangesOutput {
  private let writer: ArchiveWriter
  private let documents: ChangesDescription
  /// The two states, which may be changed until the end.
  var states: ChangesDocument

  /// Writes a change file; returns the counts, with the digest and the size of the file.
  package static func write(
    to target: ArchiveTarget, _ documents: ChangesDescription, _ states: ChangesDocument,
    _ options: ChangesOptions, _ body: (ChangesOutput, inout ChangesSummary) throws -> Void
  ) throws -> ChangesSummary {
    let output = try ChangesOutput(to: target, documents, states, options)
    defer { output.writer.abandon() }
    var summary = ChangesSummary()
    try body(output, &summary)
    summary.add(output.states, of: documents.manifest)
    try output.writer.add(ArchiveEntryName.changes, document: output.states.encoded())
    summary.digest = try output.writer.finish().rootDigest.hex
    summary.byteCount = output.writer.byteCount
    return summary
  }

  /// Opens the file and writes its documents.
  private init(
    to target: ArchiveTarget, _ documents: ChangesDescription, _ states: ChangesDocument,
    _ options: ChangesOptions
  ) throws(CofferError) {
    self.states = states
    let writer = try ArchiveWriter(
      to: target.destination,
      options: ArchiveWriterOptions(
        compression: options.compression, level: options.level, encryption: options.encryption))
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

  /// The writer for the changes of a table; tables are written in the order of the layout.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - isWhole: whether all rows after the changes are added, whatever there was before; only in a
  ///     file without the previous values.
  /// - Returns: the writer, which is finished after the last change.
  package func table(_ shape: TableLayout, isWhole: Bool = false) -> TableChangesWriter {
    if isWhole { states.wholeTables.append(shape.folder) }
    return TableChangesWriter(
      shape, documents.layout.entities, schema: documents.schema, to: writer,
      isReversible: states.isReversible)
  }

  /// Writes lines that record the findings that the changes fix.
  func addRepairs(_ bytes: ContiguousArray<UInt8>, rowCount: Int, part: Int) throws(CofferError) {
    try writer.add(
      name: "\(ArchiveEntryName.repairs)/\(ArchiveEntryName.part(part)).ndjson", bytes: bytes,
      attributes: ArchiveEntryAttributes(rows: rowCount))
  }

  // MARK: Files

  /// Notes that an earlier file of the support folder was removed or differs; only in a file without the
  /// previous values.
  package func removeFile(_ components: [String]) {
    states.removedFiles.append(ExternalEntryName.entry(for: components))
  }

  /// Notes a file of the support folder after the changes whose content is stored elsewhere; only in
  /// a file without the previous values.
  func addFile(_ components: [String], elsewhere digest: ArchiveDigest, size: Int) {
    let name = ExternalEntryName.entry(for: components)
    states.filesElsewhere.append(.init(name: name, size: size, digest: digest))
  }

  /// Writes the state of a support folder's file before or after the changes.
  package func addFile(
    _ components: [String], isAfter: Bool, size: Int,
    _ read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try writer.beginEntry(
      name: ExternalEntryName.change(to: components, isAfter: isAfter), size: size)
    try unsafe read { unsafe try writer.write($0) }
    try writer.endEntry()
  }

  /// Copies both states of a support folder's file from other change files.
  func copy(_ file: ChangedFile, before: ChangesFile, after: ChangesFile) throws {
    if let content = file.before {
      if states.isReversible {
        try copy(content, file.components, isAfter: false, from: before)
      } else {
        removeFile(file.components)
      }
    }
    if let content = file.after {
      try copy(content, file.components, isAfter: true, from: after)
    }
  }

  private func copy(
    _ content: ChangedFile.Content, _ components: [String], isAfter: Bool,
    from source: ChangesFile
  ) throws {
    if let entry = content.entry {
      try unsafe addFile(components, isAfter: isAfter, size: entry.size) {
        unsafe try source.archive.file.readPieces(of: entry.name, $0)
      }
    } else if let digest = content.digest {
      addFile(components, elsewhere: digest, size: content.size ?? 0)
    }
  }
}

/// The descriptions of both states in the documents of a change file.
package struct ChangesDescription {
  var manifest: ArchiveManifest
  package let model: ManagedObjectModel
  package let versionHashes: [Name: VersionHash]
  package let schema: SchemaDocument
  package let layout: LayoutDocument

  /// The description of the states of a source.
  package init(_ source: some RowSource) throws {
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

  init(_ documents: ArchiveDocuments) {
    manifest = documents.manifest
    model = documents.model
    versionHashes = documents.versionHashes
    schema = documents.schema
    layout = documents.layout
  }

  private static func holdingChanges(_ shape: TableLayout) -> TableLayout {
    guard shape.kind == .entity, let slash = shape.folder.firstIndex(of: "/") else { return shape }
    var shape = shape
    shape.folder = "changes" + shape.folder[slash...]
    return shape
  }
}

/// Options for writing change files.
public struct ChangesOptions: Sendable, Equatable {
  /// The compression of the file.
  public var compression = ArchiveCompression.gzip
  /// The compression level, one of the ``ArchiveCompression/levels``; nil for its default.
  public var level: Int? = nil
  /// Who can read the file; nil for everyone.
  public var encryption: ArchiveEncryption? = nil

  /// Whether the previous values are written, too.
  ///
  /// Without them, as in the increments of a backup, the changes can neither be applied nor reversed.
  package var isReversible = true

  /// Creates the default options.
  public init() {}
}
