internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// An archive as one side of a comparison.
struct ArchiveSide: ComparisonSide {
  private let archive: OpenArchive
  let objects: any ObjectSource

  init(path: String, access: ArchiveAccess) throws(ArchiveError) {
    archive = try OpenArchive(path: path, access: access)
    objects = ArchiveObjects(archive)
  }

  var kind: SourceKind { .archive }
  var schema: SchemaDocument { archive.documents.schema }

  var estimatedObjectCount: Int {
    shapes.reduce(0) { $0.addingReportingOverflow(objectCount(of: $1) ?? 0).partialValue }
  }

  func metadata() throws -> StoreMetadata { try archive.metadata() }

  func digests(of shape: TableLayout) -> [String: ArchiveDigest]? { archive.digests(of: shape) }

  func objectCount(of shape: TableLayout) -> Int? {
    archive.objectCount(of: shape)
  }

  func files() -> [ComparedFile] {
    archive.files.map { ComparedFile(components: $0.components, size: $0.entry.size) }
  }

  func digest(of file: ComparedFile) throws -> ArchiveDigest {
    let name = ExternalEntryName.entry(for: file.components)
    guard let entry = archive.file.index[name] else {
      throw ArchiveError(.missingEntry, path: path, entry: name, detail: "")
    }
    return entry.digest
  }
}
