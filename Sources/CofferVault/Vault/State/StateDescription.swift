internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The remembered facts about a state of a store, without the records of its rows.
struct StateDescription: Equatable {
  /// The rows of a table.
  struct Table: Equatable {
    var name: Name
    /// The number of integers in the record of a row: none if nothing identifies the rows.
    var integerCount: Int
    var rowCount: Int
    /// The parts that an archive of the state has; none in a file of the first version.
    var parts: [StatePart] = []
  }

  /// The backup of a state.
  struct Origin: Equatable {
    var vault: String
    /// The ID of the series.
    var store: String
    var backup: String
  }

  private static let format = "coffer-state"
  /// The written version; the first version has no parts and pages.
  private static let version = Int64(2)

  /// The backup; nil until it is made.
  var origin: Origin?
  /// Whether the state can be compared with others; its records have no meaning otherwise.
  var isComparable = true
  /// The digest of everything that the states before and after changes must have in common.
  var structure: String
  /// The content digest and the settings.
  var state: ChangesDocument.State
  /// The tables that have rows, in the order of an archive.
  var tables: [Table] = []
  /// The number of backups since the last comparison of all rows.
  var uncomparedCount = 0
  /// The record of the store's pages; nil if there is none.
  var pages: StatePages?
  /// The digests of the files of the support folder, by the names of an archive's entries.
  var files: [Name: ArchiveDigest] = [:]
  /// The identities of their content, as far as certain.
  var fileIdentities: [Name: [Int64]] = [:]
  /// Whether a row refers to a missing or unknown file.
  var lacksFiles = true

  /// Describes a state without rows.
  init(_ documents: ChangesDescription) {
    structure = documents.structureDigest.hex
    state = ChangesDocument.State(documents.schema)
  }

  func hasFiles(of other: StateDescription) -> Bool {
    other.files.keys.allSatisfy { files[$0] != nil }
  }

  /// Whether both describe the same rows, files and settings.
  func isSame(as other: StateDescription) -> Bool {
    var same = self
    (same.origin, same.uncomparedCount, same.pages) = (
      other.origin, other.uncomparedCount, other.pages
    )
    return same == other
  }

  var encoded: JSONValue {
    var members: JSONObject = [
      "format": .string(Self.format), "version": .integer(Self.version),
      "structure": .string(structure), "state": state.encoded,
    ]
    if !isComparable { members.append("comparable", .bool(false)) }
    if let origin {
      members.append(
        "origin",
        .object([
          "vault": .string(origin.vault), "store": .string(origin.store),
          "backup": .string(origin.backup),
        ]))
    }
    members.append(
      "tables",
      .array(
        tables.map {
          .object([
            "name": .string($0.name.text), "integers": .integer(Int64($0.integerCount)),
            "rows": .integer(Int64($0.rowCount)), "parts": .array($0.parts.map(\.encoded)),
          ])
        }))
    if uncomparedCount > 0 { members.append("uncompared", .integer(Int64(uncomparedCount))) }
    if let pages { members.append("pages", pages.encoded) }
    let names = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    members.append(
      "files",
      .object(JSONObject(names.map { .init(key: $0.text, value: .string(files[$0]?.hex ?? "")) })))
    let identified = names.compactMap { name in fileIdentities[name].map { (name, $0) } }
    members.append(
      "identities",
      .object(
        JSONObject(
          identified.map { .init(key: $0.text, value: .array($1.map(JSONValue.integer))) })))
    if !lacksFiles { members.append("lacksFiles", .bool(false)) }
    return .object(members)
  }

  /// Reads a description; throws ``DocumentError``, also for one that another version wrote.
  init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: "state")
    let (format, version) = (try reader.required("format"), try reader.required("version"))
    guard try format.string() == Self.format else { throw format.error(Self.format) }
    guard try (1...Self.version).contains(version.integer()) else {
      throw version.error("\(Self.version)")
    }
    structure = try reader.required("structure").string()
    state = try ChangesDocument.State(reader.required("state"))
    isComparable = try reader.optional("comparable")?.bool() ?? true
    if let node = try reader.optional("origin") {
      origin = Origin(
        vault: try node.required("vault").string(), store: try node.required("store").string(),
        backup: try node.required("backup").string())
    }
    for table in try reader.required("tables").elements() {
      let (integers, rows) = (try table.required("integers"), try table.required("rows"))
      let counts = (try integers.int(), try rows.int())
      guard (0...ArchiveLimits.columnCount).contains(counts.0) else {
        throw integers.error("a number of integers")
      }
      guard counts.1 >= 0 else { throw rows.error("a number of rows") }
      tables.append(
        Table(
          name: Name(try table.required("name").string()), integerCount: counts.0,
          rowCount: counts.1,
          parts: try (table.optional("parts")?.elements() ?? []).map { part throws(DocumentError) in
            try StatePart(part)
          }))
    }
    uncomparedCount = try reader.optional("uncompared")?.int() ?? 0
    pages = try reader.optional("pages").map { node throws(DocumentError) in
      try StatePages(node)
    }
    for (name, node) in try reader.required("files").members() {
      guard let digest = ArchiveDigest(hex: try node.string()) else {
        throw node.error("64 hexadecimal digits")
      }
      files[Name(name)] = digest
    }
    for (name, node) in try reader.optional("identities")?.members() ?? [] {
      fileIdentities[Name(name)] = try node.elements().map { value throws(DocumentError) in
        try value.integer()
      }
    }
    lacksFiles = try reader.optional("lacksFiles")?.bool() ?? true
  }
}

extension ChangesDescription {
  /// The digest of everything that the states before and after changes must have in common: model, schema,
  /// layout, entity numbers, and fixed settings of the database.
  fileprivate var structureDigest: ArchiveDigest {
    var schema = schema
    // These may differ: a change file has the ones of both states.
    (schema.journalMode, schema.userVersion, schema.applicationID) = ("", 0, 0)
    let tables = layout.tables.map { table in
      var table = table
      // The folder of objects is another one in a change file than in an archive.
      if table.kind == .entity { table.folder = "" }
      return table
    }
    let documents = [
      ModelDocument(model: model, versionHashes: versionHashes).value, schema.encoded(),
      LayoutDocument(entities: layout.entities, tables: tables).encoded(),
    ]
    var hasher = ContentHasher()
    for document in documents {
      unsafe document.bytes().withUnsafeBytes { unsafe hasher.update($0) }
    }
    return hasher.digest
  }
}
