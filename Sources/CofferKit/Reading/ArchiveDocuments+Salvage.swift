internal import CoreDataArchive
internal import CoreDataModel

extension ArchiveDocuments {
  /// Reads the documents of an archive that is salvaged.
  ///
  /// Without manifest or model a store can still be restored: nothing is known of the one, and
  /// the other has no entities.
  ///
  /// - Parameters:
  ///   - reader: the reader, at the beginning.
  ///   - path: the archive, for errors.
  ///   - loseDocument: takes the names of the documents that are lost, and why.
  /// - Returns: the documents, and the header of the entry behind them.
  /// - Throws: CofferError: `damaged-archive` where the schema or the layout is lost, `newer-format`,
  ///   and what the reader throws.
  static func salvage(
    from reader: ArchiveReader, path: String, loseDocument: (String, String) -> Void
  ) throws(CofferError) -> (ArchiveDocuments, next: ArchiveEntryHeader?) {
    var texts: [String: ContiguousArray<UInt8>] = [:]
    var next = try reader.next()
    while let entry = next, names.contains(entry.name) {
      texts[entry.name] = try reader.readWhole()
      next = try reader.next()
    }
    var replaced: Set<String> = []
    while true {
      do throws(CofferError) {
        return (try ArchiveDocuments(texts, path: path, limits: reader.limits), next)
      } catch {
        guard error.code == .damagedArchive, let name = error.place.entry else { throw error }
        guard let substitute = substitutes[name], replaced.insert(name).inserted else {
          throw CofferError(
            .damagedArchive, path: path, entry: name,
            detail: texts[name] == nil
              ? "it is lost, and nothing can be restored without it" : error.detail,
            advice: "What else is whole can be unpacked with tar and read as text.")
        }
        loseDocument(
          name, texts[name] == nil ? "it did not come whole" : error.detail)
        texts[name] = substitute
      }
    }
  }

  /// What stands in for the documents that can be done without.
  private static let substitutes: [String: ContiguousArray<UInt8>] = [
    ArchiveEntryName.manifest: ContiguousArray(
      ArchiveManifest(
        storeUUID: nil, frameworkVersion: nil, modelSource: ModelSource.inferred.rawValue,
        entityNames: []
      ).encoded().bytes(layout: .compact)),
    ArchiveEntryName.model: ContiguousArray(
      ModelDocument.encode(ManagedObjectModel(entities: [], source: .inferred), versionHashes: [:])
        .bytes(layout: .compact)),
  ]
}
