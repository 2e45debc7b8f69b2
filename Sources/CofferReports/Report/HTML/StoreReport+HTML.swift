internal import CofferCore
internal import CoreDataModel

extension StoreReport {
  /// The report as a page: one HTML file with its styles and drawings, for light and dark
  /// appearance and for paper.
  ///
  /// It loads nothing, and its content security policy allows one script, by its hash: the search box.
  /// Everything else works without scripts. The same report always gives the same text. It
  /// contains names, such as entity names, but no values of objects.
  ///
  /// - Parameter showsValues: whether to include the values of the metadata; apps may keep secrets
  ///   there.
  /// - Returns: the text of the page.
  public func html(showsValues: Bool = false) -> String {
    HTMLReport(report: self, showsValues: showsValues).text
  }
}

/// A report as a page: one file that loads nothing and prints well.
struct HTMLReport {
  let report: StoreReport
  let showsValues: Bool

  /// The sections in their order, with their identifiers.
  private var sections: [any HTMLSection] {
    let findings = FindingSection(report: report)
    let all: [any HTMLSection] = [
      SizeSection(report: report), ReviewSection(report: report), ModelSection(report: report),
      ExternalDataSection(report: report),
      OverviewSection(report: report, showsValues: showsValues),
    ]
    let others = all.filter { !$0.isEmpty }
    return findings.isUrgent ? [findings] + others : others + [findings]
  }

  var text: String {
    HTMLPage(
      title: "\(name) – report", kind: kind, style: HTMLStyle.text, sections: sections
    ).text { page in
      page.element("h1") { $0.name(name) }
      IdentityFacts(report: report).write(to: &page)
      ReportTiles(report: report).write(to: &page)
      Glance(report: report).write(to: &page)
    }
  }

  private var name: String {
    report.inspection.path.split(separator: "/").last.map(String.init) ?? report.inspection.path
  }

  private var kind: String {
    report.inspection.kind == .store ? "Core Data store" : "Archive of a Core Data store"
  }
}

/// The head of a page: whether the store is healthy, the app, the system, the path and the UUID.
struct IdentityFacts {
  let report: StoreReport

  /// Folders in which the next path component is the bundle identifier or the name of an app.
  private static let appFolders = ["Containers", "Group Containers", "Application Support"]

  func write(to page: inout HTMLText) {
    health(&page)
    var facts = FactList()
    facts.add(.text("App"), app.map { .name($0) })
    let inspection = report.inspection
    if let version = inspection.frameworkVersion {
      facts.add(
        "System", (inspection.frameworkEra.map { "\($0), " } ?? "") + "framework \(version)")
    }
    facts.add(.text("Path"), .code(inspection.path))
    facts.add(.text("Store UUID"), inspection.storeUUID.map { .code($0) })
    facts.write(to: &page)
  }

  /// The app by the history, otherwise by the folder of the file.
  private var app: String? {
    if let app = report.lastWriter { return app }
    let parts = report.inspection.path.split(separator: "/").map(String.init)
    for folder in Self.appFolders {
      // A simulator's and a device's containers are named by UUIDs.
      if let place = parts.lastIndex(of: folder), place + 2 < parts.count,
        UUIDText.bytes(parts[place + 1]) == nil
      {
        return parts[place + 1]
      }
    }
    return nil
  }

  private func health(_ page: inout HTMLText) {
    let findings = report.findings
    let errors = findings.count(of: .error)
    let counts = FindingSeverity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count(of: severity)
      return count == 0 ? nil : QuantityText.count(count, severity.word)
    }.joined(separator: ", ")
    let isDamaged = findings.problem != nil || errors > 0
    page.element("p", ["class": isDamaged ? "health error" : "health good"]) { page in
      page.element("strong") { page in
        page.write(
          findings.problem != nil
            ? "✕ Damaged: not all rows could be read."
            : errors > 0 ? "✕ Not healthy." : counts.isEmpty ? "✓ Healthy." : "✓ No errors.")
      }
      page.write(" ")
      page.element(
        "a", ["href": "#findings"],
        text: counts.isEmpty
          ? "\(QuantityText.count(findings.checks.count, "check")) found nothing" : counts)
    }
  }
}

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
        tile("Size", QuantityText.bytes(inspection.byteCount ?? 0), "\(values) of values", &page)
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
