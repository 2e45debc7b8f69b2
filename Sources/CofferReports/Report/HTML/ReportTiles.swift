internal import CofferCore
internal import CoreDataModel

/// The key figures at the beginning of a report.
struct ReportTiles {
  let report: StoreReport

  /// Writes the figures that are not zero; findings come first when there are any.
  func write(to page: inout HTMLText) {
    let inspection = report.inspection
    let isUrgent = FindingSection(report: report).isUrgent
    page.element("dl", ["class": "tiles"]) { page in
      if isUrgent { findings(&page) }
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
      if external.byteCount > 0 || external.missingCount > 0 {
        tile("External data", QuantityText.bytes(external.byteCount), externalNote, &page)
      }
      if let history = inspection.history, history.changeCount > 0 {
        tile(
          "History", QuantityText.count(history.changeCount),
          "changes in \(QuantityText.count(history.transactionCount, "transaction"))", &page)
      }
    }
    page.line()
  }

  private func entities(_ count: Int) -> String { QuantityText.count(count, "entity", "entities") }

  private var externalNote: String {
    let external = report.externalData
    let files =
      external.fileCount == 0 ? "no files" : "in \(QuantityText.count(external.fileCount, "file"))"
    return external.missingCount == 0
      ? files : "\(files), \(QuantityText.count(external.missingCount)) missing"
  }

  private func findings(_ page: inout HTMLText) {
    let findings = report.findings
    let total = findings.count
    let words = FindingSeverity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count(of: severity)
      return count == 0 ? nil : QuantityText.count(count, severity.word)
    }
    let note =
      findings.problem != nil
      ? "not all rows could be read"
      : total == 0
        ? "by \(QuantityText.count(findings.checks.count, "check"))" : words.joined(separator: ", ")
    let worst = findings.problem == nil ? findings.groups.first?.code.severity : .error
    tile(
      "Findings", total == 0 ? "none" : QuantityText.count(total), note, &page,
      style: worst.map { "linked \($0.rawValue)" } ?? "linked", link: "#findings")
  }

  private func tile(
    _ title: String, _ figure: String, _ note: String, _ page: inout HTMLText,
    style: String = "", link: String? = nil
  ) {
    page.element("div", style.isEmpty ? [:] : ["class": style]) { page in
      page.element("dt", text: title)
      page.element("dd", ["class": "figure"]) { page in
        if let link {
          page.element("a", ["href": link], text: figure)
        } else {
          page.write(figure)
        }
      }
      page.element("dd", text: note)
    }
  }
}
