internal import CofferKit
internal import CoreDataModel

/// The content of a store or an archive.
struct InspectMessage: Message {
  var inspection: Inspection
  /// Whether to print the values of the metadata, not only the names.
  var showsValues: Bool
  /// The content digest of a store, if it was asked for.
  var contentDigest: String? = nil

  func write(to printer: TextPrinter) throws {
    try showHeading(printer)
    try showEntities(printer)
    try showMetadata(printer)
    try showBeside(printer)
  }

  private func showHeading(_ printer: TextPrinter) throws {
    let kind = inspection.kind == .store ? "store" : "archive"
    try printer.line(printer.style.bold("\(Terminal.printable(inspection.path)): \(kind)"))
    var block = FieldBlock()
    block.add("objects", QuantityText.count(inspection.objectCount))
    block.add("store UUID", inspection.storeUUID)
    if let version = inspection.frameworkVersion {
      block.add("framework", inspection.frameworkEra.map { "\(version) (\($0))" } ?? "\(version)")
    }
    block.add("model", Self.text(of: inspection.model.source))
    block.add("model problem", inspection.modelProblem)
    if !inspection.versionIdentifiers.isEmpty {
      block.add("model version", inspection.versionIdentifiers.joined(separator: ", "))
    }
    if inspection.wasMigratedInPlace { block.add("migration", "migrated in place") }
    let settings = inspection.settings
    let mode = "\(settings.journalMode) mode, pages of \(settings.pageSize)"
    block.add("database", "\(mode), \(settings.encoding)")
    block.add("size", inspection.byteCount.map(QuantityText.bytes))
    block.add("content digest", contentDigest)
    if let archive = inspection.archive { add(archive, to: &block) }
    try printer.block(block)
  }

  private func add(_ archive: ArchiveFacts, to block: inout FieldBlock) {
    let plain = QuantityText.bytes(archive.plainByteCount)
    block.add("size", "\(QuantityText.bytes(archive.byteCount)), \(plain) uncompressed")
    let entries = QuantityText.count(archive.entryCount, "entry", "entries")
    let packed = archive.isRepacked ? ", repacked" : ""
    let sealed = archive.isEncrypted ? ", encrypted" : ""
    block.add("format", "version \(archive.formatVersion), \(entries)\(packed)\(sealed)")
    block.add("digest", archive.digest)
    block.add("content digest", archive.contentDigest)
    if let salvage = archive.salvage {
      block.add("salvaged", "from a damaged store; lost: \(salvage.text)")
    }
  }

  private static func text(of source: ModelSource) -> String {
    switch source {
    case .modelCache: "the store's own copy"
    case .file: "a model file"
    case .inferred: "inferred from the tables: names and types are guesses"
    }
  }

  private func showEntities(_ printer: TextPrinter) throws {
    for entity in inspection.entities {
      let parent = entity.superentityName.map { ": \($0)" } ?? ""
      let abstract = entity.isAbstract ? ", abstract" : ""
      let name = entity.name.isEmpty ? "(unknown entity)" : entity.name
      let title = printer.style.bold(Terminal.printable(name + parent))
      try printer.line("")
      try printer.line("\(title)  \(QuantityText.count(entity.objectCount, "object"))\(abstract)")
      var block = FieldBlock()
      for attribute in entity.attributes { Self.add(attribute, to: &block, indent: "") }
      for relationship in entity.relationships {
        block.add(relationship.name, Self.text(of: relationship))
      }
      try printer.block(block)
    }
    guard !inspection.relationships.isEmpty else { return }
    try printer.heading("Many-to-many relationships")
    var block = FieldBlock()
    for pairs in inspection.relationships {
      block.add(
        "\(pairs.entityName).\(pairs.relationshipName)",
        QuantityText.count(pairs.pairCount, "pair"))
    }
    try printer.block(block)
  }

  private static func add(
    _ attribute: AttributeDescription, to block: inout FieldBlock, indent: String
  ) {
    var notes = [attribute.type.name]
    if attribute.isOptional { notes.append("optional") }
    if attribute.isTransient { notes.append("transient") }
    if attribute.isDerived { notes.append("derived") }
    if attribute.allowsExternalBinaryDataStorage { notes.append("allows external storage") }
    block.add(indent + attribute.name, notes.joined(separator: ", "))
    for element in attribute.elements { add(element, to: &block, indent: indent + "  ") }
  }

  private static func text(of relationship: RelationshipDescription) -> String {
    var notes = [relationship.isToMany ? "to-many" : "to-one"]
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isOptional { notes.append("optional") }
    if let inverse = relationship.inverseName { notes.append("inverse \(inverse)") }
    return "→ \(relationship.destinationName), \(notes.joined(separator: ", "))"
  }

  private func showMetadata(_ printer: TextPrinter) throws {
    guard !inspection.metadata.isEmpty || inspection.metadataProblem != nil else { return }
    try printer.heading("Metadata of the app")
    var block = FieldBlock()
    block.add("problem", inspection.metadataProblem)
    for key in inspection.metadata { block.add(key.name, showsValues ? key.value : "") }
    try printer.block(block)
  }

  private func showBeside(_ printer: TextPrinter) throws {
    if let history = inspection.history { try show(history, printer) }
    try show(inspection.externalData, printer)
    try show(inspection.cloudKit, under: "CloudKit mirroring", printer)
    try show(inspection.unknownTables, under: "Unknown tables", printer)
    if !inspection.unknownColumns.isEmpty {
      try printer.heading("Unknown columns")
      for column in inspection.unknownColumns {
        try printer.line("  \(Terminal.printable("\(column.tableName).\(column.name)"))")
      }
    }
    guard let parts = inspection.missingParts, !parts.isEmpty else { return }
    try printer.heading("Missing from the store")
    var block = FieldBlock()
    for part in parts {
      let property = part.propertyName.map { ".\($0)" } ?? ""
      block.add("\(part.entityName)\(property)", "\(part.kind) \(part.expectedName)")
    }
    try printer.block(block)
  }

  private func show(_ history: HistoryInspection, _ printer: TextPrinter) throws {
    try printer.heading("Persistent history")
    var block = FieldBlock()
    block.add("transactions", QuantityText.count(history.transactionCount))
    block.add("changes", QuantityText.count(history.changeCount))
    block.add("from", history.firstDate)
    block.add("to", history.lastDate)
    try printer.block(block)
  }

  private func show(_ files: ExternalDataInspection, _ printer: TextPrinter) throws {
    let (missing, orphaned) = (files.missingFileCount ?? 0, files.orphanedFileCount ?? 0)
    guard files.fileCount > 0 || missing > 0 || files.companionFileCount > 0 else { return }
    try printer.heading("External data")
    var block = FieldBlock()
    func add(_ name: String, _ count: Int, _ bytes: Int) {
      block.add(name, "\(QuantityText.count(count)), \(QuantityText.bytes(bytes))")
    }
    add("files", files.fileCount, files.byteCount)
    if files.companionFileCount > 0 {
      add("of CloudKit", files.companionFileCount, files.companionByteCount)
    }
    if missing > 0 { block.add("missing", QuantityText.count(missing)) }
    if orphaned > 0 { block.add("unused", QuantityText.count(orphaned)) }
    try printer.block(block)
  }

  private func show(_ tables: [TableInspection], under title: String, _ printer: TextPrinter) throws
  {
    guard !tables.isEmpty else { return }
    try printer.heading(title)
    var block = FieldBlock()
    for table in tables { block.add(table.name, QuantityText.count(table.rowCount, "row")) }
    try printer.block(block)
  }
}

/// The result of writing a page about a store or an archive.
struct PageMessage: Message {
  var report: StoreReport
  var showsValues: Bool
  /// The path of the page, as it was given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let inspection = report.inspection
    let count = report.findings.count
    let objects = QuantityText.count(inspection.objectCount, "object")
    let findings = count == 0 ? "no findings" : QuantityText.count(count, "finding")
    let end = report.findings.problem == nil ? "" : ", not read completely"
    try printer.line(
      "\(printer.style.bold(Terminal.printable(path))): \(objects), \(findings)\(end)")
  }

  func write(to printer: JSONPrinter) throws {
    try InspectMessage(inspection: report.inspection, showsValues: showsValues).write(to: printer)
  }
}
