internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The properties of a store or an archive.
struct OverviewSection: HTMLSection {
  let report: StoreReport
  let showsValues: Bool

  let identifier = "overview"
  let title = "Details"

  private var inspection: Inspection { report.inspection }

  func write(to page: inout HTMLText) {
    facts.write(to: &page)
    metadata(&page)
    tables("CloudKit mirroring", inspection.cloudKit, &page)
    tables("Persistent history", inspection.history?.tables ?? [], &page)
    tables("Unknown tables", inspection.unknownTables, &page)
    columns(&page)
    missing(&page)
  }

  private var facts: FactList {
    var facts = FactList()
    facts.add("Model", source)
    facts.add(.text("Model problem"), inspection.modelProblem.map { .name($0) })
    let versions = inspection.versionIdentifiers.filter { !$0.isEmpty }
    if !versions.isEmpty {
      facts.add(.text("Model version"), .name(versions.joined(separator: ", ")))
    }
    if inspection.wasMigratedInPlace { facts.add("Migration", "migrated in place") }
    let settings = inspection.settings
    facts.add(
      .text("Database"),
      .name(
        "\(settings.journalMode) mode, pages of \(settings.pageSize) bytes, \(settings.encoding)"))
    if let history = inspection.history, let first = history.firstDate, let last = history.lastDate
    {
      facts.add("History", "from \(first) to \(last)")
    }
    if let archive = inspection.archive { add(archive, to: &facts) }
    facts.add(.text("Metadata problem"), inspection.metadataProblem.map { .name($0) })
    return facts
  }

  private var source: String {
    switch inspection.model.source {
    case .modelCache: "the store's own copy"
    case .file: "a model file"
    case .inferred: "inferred from the tables: names and types are guesses"
    }
  }

  private func add(_ archive: ArchiveFacts, to facts: inout FactList) {
    let entries = QuantityText.count(archive.entryCount, "entry", "entries")
    let packed = archive.isRepacked ? ", repacked" : ""
    let sealed = archive.isEncrypted ? ", encrypted" : ""
    facts.add("Archive", "version \(archive.formatVersion), \(entries)\(packed)\(sealed)")
    facts.add(.text("Digest"), .code(archive.digest))
    guard let salvage = archive.salvage else { return }
    facts.add("Salvaged", "from a damaged store; lost: \(salvage.text)")
  }

  private func metadata(_ page: inout HTMLText) {
    guard !inspection.metadata.isEmpty else { return }
    page.element("details", ["open": ""]) { page in
      page.element(
        "summary",
        text: "Metadata of the app: \(QuantityText.count(inspection.metadata.count, "key"))")
      var facts = FactList()
      for entry in inspection.metadata {
        facts.add(.code(entry.name), showsValues ? .code(entry.value) : .text("value not shown"))
      }
      facts.write(to: &page)
    }
    page.line()
  }

  private func tables(_ title: String, _ tables: [TableInspection], _ page: inout HTMLText) {
    guard !tables.isEmpty else { return }
    page.fold("\(title): \(QuantityText.count(tables.count, "table"))") { page in
      DataTable(
        caption: title, hidesCaption: true, columns: [("Table", .text), ("Rows", .number)],
        rows: tables.map { [.name($0.name), DataTable.count($0.rowCount)] }
      ).write(to: &page)
    }
  }

  private func columns(_ page: inout HTMLText) {
    guard !inspection.unknownColumns.isEmpty else { return }
    let count = QuantityText.count(inspection.unknownColumns.count, "column")
    page.fold("Unknown columns: \(count)") { page in
      DataTable(
        caption: "Columns that the model does not explain", hidesCaption: true,
        columns: [("Column", .text), ("Table", .text)],
        rows: inspection.unknownColumns.map { [.name($0.name), .name($0.tableName)] }
      ).write(to: &page)
    }
  }

  private func missing(_ page: inout HTMLText) {
    guard let parts = inspection.missingParts, !parts.isEmpty else { return }
    page.element("details", ["open": ""]) { page in
      page.element("summary", text: "Missing from the store: \(QuantityText.count(parts.count))")
      DataTable(
        caption: "Parts of the model that the store lacks", hidesCaption: true,
        columns: [("Property", .text), ("What", .text), ("Name", .text)],
        rows: parts.map { part in
          let property = part.property.map { ".\($0)" } ?? ""
          return [
            .name("\(part.entity)\(property)"), .text(part.kind.rawValue), .name(part.expectedName),
          ]
        }
      ).write(to: &page)
    }
    page.line()
  }
}
