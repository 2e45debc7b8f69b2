internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The losses of an import of a damaged archive so far, as counts and findings.
final class Salvage {
  let report: SalvageReport
  /// The findings, in the order in which they were made.
  private(set) var findings = FindingCollector()
  /// The losses, as far as known.
  private(set) var losses = ImportSummary.Losses()
  private(set) var lostDocuments: Set<String> = []

  /// Whether the archive was made from a damaged store, so that it may lack any row.
  var isOfDamagedStore = false

  private var lostKinds: Set<TableLayout.Kind> = []

  init(_ report: SalvageReport) { self.report = report }

  /// Reports losses known from the container, of the tables whose rows are to be restored.
  func begin(_ documents: ArchiveDocuments, isWanted: (TableLayout) -> Bool) {
    let shapes = Dictionary(documents.layout.tables.map { (Name($0.folder), $0) }) {
      first, _ in
      first
    }
    if !report.hasIndex {
      losses.isComplete = false
      findings.add(Finding(.lostIndex, detail: Self.extent(report)))
    }
    for entry in report.lostEntries {
      let shape = PartEntryName(entry.name).flatMap { shapes[Name($0.folder)] }
      if let shape, !isWanted(shape) { continue }
      if let shape { lostKinds.insert(shape.kind) }
      losses.entryCount += 1
      for (_, count) in entry.attributes.objects {
        losses.objectCount = losses.objectCount.addingReportingOverflow(max(0, count)).partialValue
      }
      guard !lostDocuments.contains(entry.name) else { continue }
      findings.add(
        Finding(
          .lostEntry, entityName: shape?.entityName, propertyName: shape?.relationshipName,
          detail: Self.text(entry)))
    }
    for name in report.alteredEntries {
      findings.add(
        Finding(.archiveDigestMismatch, detail: "\(name): the readable part was restored"))
    }
    guard report.hasIndex, report.lostEntries.isEmpty else { return }
    for damage in report.damages {
      findings.add(Finding(.damageWithoutLoss, detail: "byte \(damage.offset): \(damage.detail)"))
    }
  }

  func loseDocument(_ name: String, _ why: String) {
    lostDocuments.insert(name)
    findings.add(Finding(.lostDocument, detail: "\(name): \(why)"))
  }

  func loseLine(_ shape: TableLayout, _ entry: String, _ number: Int, _ why: String) {
    if shape.kind == .entity { losses.objectCount += 1 }
    losses.lineCount += 1
    findings.add(
      Finding(.lostLine, entityName: shape.entityName, detail: "\(entry), line \(number): \(why)"))
  }

  /// Reports a lost value of a restored object.
  func loseValue(_ shape: TableLayout, entityName: Name?, row: Int64, column: Int, entry: String) {
    losses.valueCount += 1
    guard shape.fields.indices.contains(column) else { return }
    let property = shape.propertyName(column)
    guard shape.kind == .entity, let entity = entityName ?? shape.entityName else {
      return findings.add(
        Finding(.lostEntryValue, propertyName: property, detail: "\(entry), row \(row)"))
    }
    findings.add(
      Finding(
        .lostEntryValue, objectID: ManagedObjectID(entityName: entity, primaryKey: row),
        propertyName: property, detail: entry))
  }

  func rebuild(_ detail: String) { findings.add(Finding(.rebuiltTable, detail: detail)) }

  /// Whether rows of a kind may be lost, or nothing is known about them.
  func mayHaveLost(_ kind: TableLayout.Kind) -> Bool {
    lostKinds.contains(kind) || !report.hasIndex || isOfDamagedStore
  }

  /// The content of an entry, in words.
  private static func text(_ entry: SalvageReport.LostEntry) -> String {
    var parts: [String] = []
    if !entry.attributes.objects.isEmpty {
      parts += entry.attributes.objects.map {
        "\($0.count) of \($0.entity.isEmpty ? "no known entity" : $0.entity)"
      }
      if let first = entry.attributes.firstKey, let last = entry.attributes.lastKey {
        parts.append("keys from \(first) to \(last)")
      }
    } else if let rows = entry.attributes.rows {
      parts.append(rows == 1 ? "1 row" : "\(rows) rows")
    }
    return parts.isEmpty ? entry.name : "\(entry.name): \(parts.joined(separator: ", "))"
  }

  /// The damaged places of an archive without an index, in words.
  private static func extent(_ report: SalvageReport) -> String {
    let places = report.damages.prefix(5).map { "byte \($0.offset): \($0.detail)" }
    let more = report.damages.count - places.count
    let end = "read up to byte \(report.endOffset)"
    return (places + (more > 0 ? ["\(more) more places"] : []) + [end]).joined(separator: "; ")
  }
}
