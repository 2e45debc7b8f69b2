package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// An archive file, whose entries can be read in any order.
package struct ArchiveRowSource: RowSource {
  private let archive: OpenArchive
  private let loadsOutOfLineValues: Bool
  private let checksOrder: Bool

  /// Creates a source for an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - loadsOutOfLineValues: whether to read values in their own entries with their row.
  ///   - checksOrder: whether keys that are not ascending are an error.
  package init(
    _ archive: OpenArchive, loadsOutOfLineValues: Bool = false, checksOrder: Bool = false
  ) {
    self.archive = archive
    self.loadsOutOfLineValues = loadsOutOfLineValues
    self.checksOrder = checksOrder
  }

  package var kind: SourceKind { .archive }
  package var path: String { archive.path }
  package var model: ManagedObjectModel { archive.documents.model }
  package var schema: SchemaDocument { archive.documents.schema }
  package var shapes: [TableLayout] { archive.documents.layout.tables }
  package var entities: NumberedEntities { archive.documents.layout.entities }

  package var fingerprint: ArchiveFingerprint? { archive.fingerprint }

  package func metadata() throws -> StoreMetadata { try archive.metadata() }

  package func estimatedRowCount(of shape: TableLayout) -> Int? {
    shape.kind == .entity ? archive.objectCount(of: shape) : archive.rowCount(of: shape)
  }

  package func digests(of shape: TableLayout) -> [Name: ArchiveDigest]? {
    archive.digests(of: shape)
  }

  package func rows(
    of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?, filter: RowFilter?
  ) -> ArchiveRows {
    ArchiveRows(
      shape, into: row, of: archive, keys: keys, loadsOutOfLineValues: loadsOutOfLineValues,
      checksOrder: checksOrder)
  }

  package func files() -> [SupportFolder.File] {
    archive.files.map { SupportFolder.File(components: $0.components, size: $0.entry.size) }
  }

  package func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let entry = ExternalEntryName.entry(for: file.components)
    guard archive.file.index[entry] != nil else { return false }
    try unsafe archive.file.readPieces(of: entry, body)
    return true
  }

  package func digest(of file: SupportFolder.File) throws -> ArchiveDigest {
    let name = ExternalEntryName.entry(for: file.components)
    guard let entry = archive.file.index[name] else {
      throw CofferError(.missingEntry, path: path, entry: name, detail: "")
    }
    return entry.digest
  }

  package func requireUnchanged() {}
}
