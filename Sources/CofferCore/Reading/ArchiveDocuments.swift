package import CoreDataArchive
internal import CoreDataLayout
package import CoreDataModel

/// The documents at the start of an archive, which describe all the rest.
package struct ArchiveDocuments {
  package let manifest: ArchiveManifest
  package let model: ManagedObjectModel
  package let versionHashes: [Name: VersionHash]
  package let schema: SchemaDocument
  package let layout: LayoutDocument

  static let names: Set<String> = [
    ArchiveEntryName.manifest, ArchiveEntryName.model, ArchiveEntryName.schema,
    ArchiveEntryName.layout,
  ]

  /// Reads the documents.
  ///
  /// - Throws: `CofferError` with `archive-limit`, with `damaged-archive` if a document is missing
  ///   or invalid, with `newer-format` if the archive needs a newer version, or with
  ///   `not-an-archive` if it is of the other kind.
  init(
    _ texts: [String: ContiguousArray<UInt8>], path: String, limits: ArchiveLimits,
    kind: ArchiveManifest.Kind = .store
  ) throws(CofferError) {
    func document(_ name: String) throws(CofferError) -> JSONValue {
      guard let text = texts[name] else {
        throw CofferError(
          .damagedArchive, path: path, entry: name,
          detail: "the archive must begin with this entry")
      }
      return try Self.value(of: text, name, path: path, limits: limits)
    }
    let manifest = try document(ArchiveEntryName.manifest)
    try Self.checkVersion(manifest, path)
    func read<Document>(
      _ name: String, _ make: (JSONValue) throws(DocumentError) -> Document
    ) throws(CofferError) -> Document {
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
    try Self.require(kind, of: self.manifest, path)
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
    let count = max(self.model.entities.count, layout.entities.entities.count)
    guard count <= limits.entities else {
      throw CofferError.exceeding(
        .entities, of: limits, path: path, "it has \(count) entities, more")
    }
    let propertyCount = max(self.model.propertyCount, layout.columnCount)
    guard propertyCount <= limits.properties else {
      throw CofferError.exceeding(
        .properties, of: limits, path: path, "it has \(propertyCount) properties or columns, more")
    }
    guard schema.statements.count <= limits.statements else {
      throw CofferError.exceeding(
        .statements, of: limits, path: path, entry: ArchiveEntryName.schema,
        "it has \(schema.statements.count) statements, more")
    }
    let schemaSize = schema.statements.reduce(0) { $0 + $1.text.utf8.count }
    guard schemaSize <= limits.schemaSize else {
      throw CofferError.exceeding(
        .schemaSize, of: limits, path: path, entry: ArchiveEntryName.schema,
        "its statements have \(schemaSize) bytes, more")
    }
    for (number, statement) in schema.statements.enumerated() {
      let size = statement.text.utf8.count
      guard size <= limits.statementSize else {
        throw CofferError.exceeding(
          .statementSize, of: limits, path: path, entry: ArchiveEntryName.schema,
          "statements[\(number)] has \(size) bytes, more")
      }
    }
    if let problem = schema.problem {
      throw CofferError(
        .damagedArchive, path: path, entry: ArchiveEntryName.schema, detail: problem)
    }
    if let problem = layout.problem(with: schema) {
      throw CofferError(
        .damagedArchive, path: path, entry: ArchiveEntryName.layout, detail: problem)
    }
  }

  /// The value of a document; throws `archive-limit`, or with `damaged-archive` if it is not JSON.
  package static func value(
    of text: ContiguousArray<UInt8>, _ name: String, path: String, limits: ArchiveLimits
  ) throws(CofferError) -> JSONValue {
    let textLimits = JSONLimits(documentOf: limits)
    do throws(JSONError) {
      return try JSONValue.parse(text, limits: textLimits)
    } catch {
      if let limit = textLimits.exceeded(by: error) {
        throw CofferError.exceeding(
          limit, of: limits, path: path, entry: name, "byte \(error.offset): it has more")
      }
      throw CofferError(
        .damagedArchive, path: path, entry: name,
        detail: "byte \(error.offset): not valid JSON: \(error.kind.rawValue)")
    }
  }

  /// Reads the documents from the start of an archive.
  ///
  /// - Returns: the documents, and the header of the entry after them.
  static func read(
    from reader: ArchiveReader, path: String
  ) throws(CofferError) -> (ArchiveDocuments, next: ArchiveEntryHeader?) {
    var texts: [String: ContiguousArray<UInt8>] = [:]
    var next = try reader.next()
    while let entry = next, names.contains(entry.name) {
      texts[entry.name] = try reader.readWhole(limit: .documentSize)
      next = try reader.next()
    }
    return (try ArchiveDocuments(texts, path: path, limits: reader.limits), next)
  }

  private static func require(
    _ kind: ArchiveManifest.Kind, of manifest: ArchiveManifest, _ path: String
  ) throws(CofferError) {
    guard manifest.kind != kind else { return }
    switch manifest.kind {
    case .changes:
      throw CofferError(
        .notAnArchive, path: path, detail: "it holds changes of a store, not a whole store",
        advice: .inspectChanges(path), evidence: manifest.kind)
    case .store:
      throw CofferError(
        .notAnArchive, path: path, detail: "it holds a whole store, not changes of one",
        advice: .writeChanges(path))
    }
  }

  /// Refuses an archive of a newer format before reading anything else.
  private static func checkVersion(_ manifest: JSONValue, _ path: String) throws(CofferError) {
    guard case .integer(let minimum) = manifest["minimumReader"],
      minimum > ArchiveManifest.version
    else { return }
    throw CofferError(
      .newerFormat, path: path,
      detail: "it needs a program that reads version \(minimum) of the format; this one reads "
        + "\(ArchiveManifest.version)",
      advice: "Use a newer version of coffer.")
  }

  /// Reads the documents of an archive to salvage.
  ///
  /// A store can be restored without the manifest or the model: an empty manifest and a model
  /// without entities replace them.
  ///
  /// - Returns: the documents, and the header of the entry after them.
  /// - Throws: `CofferError` with `damaged-archive` if the schema or the layout is lost, or with
  ///   `newer-format`; errors from the reader.
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
            advice: "You can still unpack the other intact entries with tar and read them as text.")
        }
        loseDocument(name, texts[name] == nil ? "it is incomplete" : error.detail)
        texts[name] = substitute
      }
    }
  }

  /// The replacements for the documents that are not required.
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
