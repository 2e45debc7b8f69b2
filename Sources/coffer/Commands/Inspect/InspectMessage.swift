internal import CofferKit
internal import CoreDataModel

/// The content of a store or an archive.
struct InspectMessage: Message {
  var inspection: Inspection
  /// Whether to print the values of the metadata, not only the names.
  var showsValues: Bool
  /// Whether to print everything that is known.
  var isVerbose = false
  /// The content digest of a store, if requested.
  var contentDigest: String? = nil

  /// The number of entities that the short form lists.
  private static let maxEntities = 30
  /// The number of entities without objects that the short form names.
  private static let maxEmptyNames = 8

  func write(to printer: TextPrinter) throws {
    let kind = inspection.kind == .store ? "store" : "archive"
    try printer.line(printer.style.bold("\(Terminal.printable(inspection.path)): \(kind)"))
    try showCounts(printer)
    try showFacts(printer)
    if isVerbose { return try showDetails(printer) }
    if showsValues { try showMetadata(printer) }
    try printer.line("")
    try printer.line(
      "'--verbose' lists entities, properties, metadata and tables; 'coffer verify' finds defects.")
  }

  // MARK: Counts

  private func showCounts(_ printer: TextPrinter) throws {
    let used = inspection.entities.filter { $0.objectCount > 0 }.enumerated().sorted {
      ($1.element.objectCount, $0.offset) < ($0.element.objectCount, $1.offset)
    }.map(\.element)
    let shown = isVerbose ? used[...] : used.prefix(Self.maxEntities)
    let title = "objects"
    let counts = shown.map { QuantityText.count($0.objectCount) }
    let total = QuantityText.count(inspection.objectCount)
    let width = (counts + [title, total]).map(\.count).max() ?? 0
    func padded(_ text: String) -> String {
      String(repeating: " ", count: width - text.count) + text
    }
    try printer.line("")
    try printer.line(printer.style.bold("  \(padded(title))  entity"))
    for (entity, count) in zip(shown, counts) {
      let name = entity.name.isEmpty ? "(unknown entity)" : entity.name
      try printer.line("  \(padded(count))  \(Terminal.printable(name.text))")
    }
    let rest = used.dropFirst(shown.count)
    if !rest.isEmpty {
      let count = QuantityText.count(rest.reduce(0) { $0 + $1.objectCount })
      let entities = QuantityText.count(rest.count, "more entity", "more entities")
      try printer.line("  \(padded(count))  in \(entities)")
    }
    let empty = inspection.entities.filter { $0.objectCount == 0 && !$0.isAbstract }.map(\.name)
    if !empty.isEmpty {
      let names =
        empty.count <= Self.maxEmptyNames
        ? empty.joined(separator: ", ")
        : "in \(QuantityText.count(empty.count, "other entity", "other entities"))"
      try printer.line("  \(padded("0"))  \(Terminal.printable(names))")
    }
    if used.count > 1 {
      try printer.line("  \(padded(total))  in all")
    }
    try printer.line("")
  }

  // MARK: Facts

  private func showFacts(_ printer: TextPrinter) throws {
    var block = FieldBlock()
    block.add("size", inspection.byteCount.map(size))
    if let archive = inspection.archive { add(archive, to: &block) }
    let versions = inspection.versionIdentifiers.filter { !$0.isEmpty }
    let version = versions.isEmpty ? "" : ", version \(versions.joined(separator: ", "))"
    block.add("model", Self.text(of: inspection.model.source) + version)
    block.add("model problem", inspection.modelProblem)
    if inspection.modelProblem != nil {
      block.add("what to do", FindingCode.unreadableModelCache.commandText(inspection.path))
    }
    if let version = inspection.frameworkVersion {
      block.add("framework", inspection.frameworkEra.map { "\(version) (\($0))" } ?? "\(version)")
    }
    block.add("store UUID", inspection.storeUUID)
    if inspection.wasMigratedInPlace { block.add("migration", "migrated in place") }
    block.add("history", inspection.history.map(Self.text))
    block.add("external data", externalData)
    if !inspection.cloudKit.isEmpty {
      block.add("CloudKit", "mirrored, \(QuantityText.count(inspection.cloudKit.count, "table"))")
    }
    block.add("unknown", unknown)
    if let parts = inspection.missingParts, !parts.isEmpty {
      block.add("missing", QuantityText.count(parts.count, "part") + " of the model")
    }
    block.add("metadata", inspection.metadataProblem.map { "problem: \($0)" })
    block.add("content digest", contentDigest)
    if isVerbose {
      let settings = inspection.settings
      let mode = "\(settings.journalMode) mode, pages of \(settings.pageSize)"
      block.add("database", "\(mode), \(settings.encoding)")
    }
    try printer.block(block)
  }

  private func size(_ count: Int) -> String {
    var parts = [QuantityText.bytes(count)]
    if let free = inspection.freeByteCount, free > 0 {
      parts.append("\(QuantityText.bytes(free)) of it free")
    }
    if let log = inspection.logByteCount, log > 0 {
      parts.append("\(QuantityText.bytes(log)) in the -wal file")
    }
    return parts.joined(separator: ", ")
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

  private static func text(_ history: HistoryInspection) -> String {
    let changes = QuantityText.count(history.changeCount, "change")
    let transactions = QuantityText.count(history.transactionCount, "transaction")
    let dates = [history.firstDate, history.lastDate].compactMap {
      $0.map { String($0.prefix(10)) }
    }
    let span = dates.count == 2 && dates[0] != dates[1] ? "\(dates[0]) to \(dates[1])" : dates.last
    return "\(changes) in \(transactions)" + (span.map { ", \($0)" } ?? "")
  }

  private var externalData: String? {
    let files = inspection.externalData
    var parts: [String] = []
    if files.fileCount > 0 {
      parts.append(
        "\(QuantityText.count(files.fileCount, "file")), \(QuantityText.bytes(files.byteCount))")
    }
    for (count, word) in [(files.missingFileCount, "missing"), (files.orphanedFileCount, "unused")]
    {
      if let count, count > 0 { parts.append("\(QuantityText.count(count)) \(word)") }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Tables and columns that neither the model nor the framework explains.
  private var unknown: String? {
    let parts = [
      (inspection.unknownTables.count, "table"), (inspection.unknownColumns.count, "column"),
    ].filter { $0.0 > 0 }.map { QuantityText.count($0.0, $0.1) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// The result of writing a page about a store or an archive.
struct PageMessage: Message {
  var report: StoreReport
  var showsValues: Bool
  /// The path of the page, as given.
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
