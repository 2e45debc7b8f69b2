internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inspects an archive: its documents, its index and a few small entries.
package struct ArchiveInspection {
  private let archive: OpenArchive

  package init(_ archive: OpenArchive) { self.archive = archive }

  /// Assembles the inspection.
  package func result() throws -> Inspection {
    let documents = archive.documents
    let parts = count()
    let metadata = try archive.metadata()
    let version = documents.manifest.frameworkVersion
    return Inspection(
      kind: .archive, path: archive.path, storeUUID: metadata.uuid, frameworkVersion: version,
      frameworkEra: version.map { FrameworkEra(version: $0).description },
      wasMigratedInPlace: metadata.wasMigratedInPlace, model: documents.model, modelProblem: nil,
      metadata: InspectionParts.values(of: metadata),
      metadataProblem: metadata.propertyListError?.description,
      settings: InspectionParts.settings(documents.schema), entities: parts.entityInspections,
      relationships: parts.pairInspections, history: try parts.history(edges: edges),
      cloudKit: parts.tables(.cloudKit), externalData: externalData,
      unknownTables: parts.tables(.unknown), unknownColumns: parts.unknownColumns,
      missingParts: nil, byteCount: nil, freeByteCount: nil, logByteCount: nil, archive: try facts()
    )
  }

  private func count() -> InspectionParts {
    var objects: [Name: Int] = [:]
    var rows: [Name: Int] = [:]
    for shape in archive.documents.layout.tables {
      if shape.kind == .entity {
        objects.merge(archive.objectCounts(of: shape)) {
          $0.addingReportingOverflow($1).partialValue
        }
      } else {
        rows[Name(shape.folder)] = archive.rowCount(of: shape)
      }
    }
    return InspectionParts(
      model: archive.documents.model, entities: archive.documents.layout.entities,
      shapes: archive.documents.layout.tables, objectCounts: objects, rowCounts: rows)
  }

  /// The timestamps of the first and the last transaction: two lines of one or two parts.
  private func edges(_ shape: TableLayout) throws -> [Double?] {
    let parts = archive.parts(of: shape)
    guard let first = parts.first, let last = parts.last,
      let column = shape.fields.firstIndex(where: {
        $0.storedName.uppercased() == InspectionParts.timestamp
      })
    else { return [] }
    var edges: [Double?] = []
    let beginning = ArchiveRows(shape, of: archive, [first])
    while edges.isEmpty, try beginning.next() { edges.append(beginning.row.number(column)) }
    guard !edges.isEmpty else { return [] }
    let end = ArchiveRows(shape, of: archive, [last])
    var late = edges[0]
    while try end.next() { late = end.row.number(column) }
    return edges + [late]
  }

  private var externalData: ExternalDataInspection {
    ExternalDataInspection(
      archive.files.map { SupportFolder.File(components: $0.components, size: $0.entry.size) })
  }

  private func facts() throws -> ArchiveFacts {
    let index = archive.file.index
    let size = try archive.byteCount()
    return ArchiveFacts(
      formatVersion: archive.documents.manifest.version, entryCount: index.entries.count,
      plainByteCount: index.entries.reduce(0) {
        $0.addingReportingOverflow($1.size).partialValue
      },
      byteCount: size, digest: index.rootDigest.hex, contentDigest: index.contentDigest.hex,
      isRepacked: archive.file.isRepacked, salvage: try salvage(),
      isEncrypted: archive.file.isEncrypted)
  }

  private func salvage() throws -> SalvageFacts? {
    guard archive.file.index[ArchiveEntryName.salvage] != nil else { return nil }
    return SalvageFinding.facts(try archive.file.read(ArchiveEntryName.salvage))
  }
}
