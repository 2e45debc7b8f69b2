internal import CoreDataModel

/// The key figures at the beginning of a report.
struct ReportTiles {
  let report: StoreReport

  /// Writes the figures.
  func write(to page: inout HTMLText) {
    let inspection = report.inspection
    page.element("dl", ["class": "tiles"]) { page in
      let used = report.entities.count { $0.objectCount > 0 }
      tile(
        "Objects", QuantityText.count(inspection.objectCount),
        "of \(QuantityText.count(used)) of \(entities(inspection.entities.count))", &page)
      if let archive = inspection.archive {
        let plain = QuantityText.bytes(archive.plainByteCount)
        tile("Size", QuantityText.bytes(archive.byteCount), "\(plain) uncompressed", &page)
      } else {
        let values = QuantityText.bytes(report.valueByteCount)
        tile(
          "Size", QuantityText.bytes(inspection.byteCount ?? 0), "\(values) of values", &page)
      }
      let external = report.externalData
      tile(
        "External data", QuantityText.bytes(external.byteCount),
        external.fileCount == 0
          ? "no files" : "in \(QuantityText.count(external.fileCount, "file"))",
        &page)
      let history = inspection.history
      tile(
        "History", QuantityText.count(history?.changeCount ?? 0),
        history == nil
          ? "no persistent history"
          : "changes in \(QuantityText.count(history?.transactionCount ?? 0, "transaction"))", &page
      )
      findings(&page)
    }
    page.line()
  }

  private func entities(_ count: Int) -> String { QuantityText.count(count, "entity", "entities") }

  private func findings(_ page: inout HTMLText) {
    let findings = report.findings
    let total = findings.count
    let words = FindingSeverity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count(of: severity)
      guard count > 0 else { return nil }
      return QuantityText.count(count, severity == .info ? "note" : severity.rawValue)
    }
    let note =
      findings.problem != nil
      ? "not all rows could be read"
      : total == 0
        ? "by \(QuantityText.count(findings.checks.count, "check"))" : words.joined(separator: ", ")
    tile("Findings", total == 0 ? "none" : QuantityText.count(total), note, &page)
  }

  private func tile(_ title: String, _ figure: String, _ note: String, _ page: inout HTMLText) {
    page.element("div") { page in
      page.element("dt", text: title)
      page.element("dd", ["class": "figure"], text: figure)
      page.element("dd", text: note)
    }
  }
}
