internal import CoreDataArchive
internal import CoreDataModel

/// The documents at the head of an archive, which tell what all the rest means.
struct ArchiveDocuments {
  let manifest: ArchiveManifest
  let model: ManagedObjectModel
  let versionHashes: [String: VersionHash]
  let schema: SchemaDocument
  let layout: LayoutDocument

  /// The names of the documents.
  static let names: Set<String> = [
    ArchiveEntryName.manifest, ArchiveEntryName.model, ArchiveEntryName.schema,
    ArchiveEntryName.layout,
  ]

  /// Reads the documents.
  ///
  /// - Parameters:
  ///   - texts: the bytes of the documents by name.
  ///   - path: the archive, for errors.
  /// - Throws: ArchiveError: `damaged-archive` where one is missing or not what it should be,
  ///   `newer-format` where this version cannot know what it means.
  init(_ texts: [String: ContiguousArray<UInt8>], path: String) throws(ArchiveError) {
    func document(_ name: String) throws(ArchiveError) -> JSONValue {
      guard let text = texts[name] else {
        throw ArchiveError(
          .damaged, path: path, entry: name, detail: "the archive does not begin with this entry")
      }
      do throws(JSONError) {
        return try JSONValue.parse(text)
      } catch {
        throw ArchiveError(
          .damaged, path: path, entry: name,
          detail: "byte \(error.offset): not valid JSON: \(error.kind.rawValue)")
      }
    }
    let manifest = try document(ArchiveEntryName.manifest)
    try Self.checkVersion(manifest, path)
    func read<Document>(
      _ name: String, _ make: (JSONValue) throws(DocumentError) -> Document
    ) throws(ArchiveError) -> Document {
      let value = try document(name)
      do throws(DocumentError) {
        return try make(value)
      } catch {
        throw error.archiveError(path: path)
      }
    }
    self.manifest = try read(ArchiveEntryName.manifest) { value throws(DocumentError) in
      try ArchiveManifest(value)
    }
    let model = try read(ArchiveEntryName.model) { value throws(DocumentError) in
      try ModelDocument(value)
    }
    self.model = model.model
    versionHashes = model.versionHashes
    schema = try read(ArchiveEntryName.schema) { value throws(DocumentError) in
      try SchemaDocument(value)
    }
    layout = try read(ArchiveEntryName.layout) { value throws(DocumentError) in
      try LayoutDocument(value)
    }
  }

  /// Reads the documents from the beginning of an archive.
  ///
  /// - Parameters:
  ///   - reader: the reader, at the beginning.
  ///   - path: the archive, for errors.
  /// - Returns: the documents, and the header of the entry behind them.
  /// - Throws: as ``init(_:path:)``, and what the reader throws.
  static func read(
    from reader: ArchiveReader, path: String
  ) throws(ArchiveError) -> (ArchiveDocuments, next: ArchiveEntryHeader?) {
    var texts: [String: ContiguousArray<UInt8>] = [:]
    var next = try reader.next()
    while let entry = next, names.contains(entry.name) {
      texts[entry.name] = try reader.readWhole()
      next = try reader.next()
    }
    return (try ArchiveDocuments(texts, path: path), next)
  }

  /// Refuses an archive of a newer format before anything else of it is looked at.
  private static func checkVersion(
    _ manifest: JSONValue, _ path: String
  ) throws(ArchiveError) {
    guard case .integer(let minimum) = manifest["minimumReader"],
      minimum > ArchiveManifest.version
    else { return }
    throw ArchiveError(
      .newerFormat, path: path,
      detail: "it needs a reader of version \(minimum) of the format, and this one knows "
        + "\(ArchiveManifest.version)",
      hint: "Use a newer version of coffer.")
  }
}
