internal import CofferCore
internal import CoreDataModel

extension StoreReport {
  /// The report as a page: one HTML file with its styles and drawings, for light and dark
  /// appearance and for paper.
  ///
  /// It loads nothing, and its content security policy allows one script, by its hash: the search box.
  /// Without scripts, everything else is there. The same report always gives the same text. It
  /// contains names, such as those of entities, but no values
  /// of objects.
  ///
  /// - Parameter showsValues: whether to include the values of the metadata; apps may keep secrets
  ///   there.
  /// - Returns: the text of the page.
  public func html(showsValues: Bool = false) -> String {
    HTMLReport(self, showsValues: showsValues).text
  }
}

/// A report as a page: one file that loads nothing and prints well.
struct HTMLReport {
  private let report: StoreReport
  private let showsValues: Bool

  init(_ report: StoreReport, showsValues: Bool) {
    self.report = report
    self.showsValues = showsValues
  }

  /// The sections in their order, with their identifiers.
  private var sections: [any HTMLSection] {
    let findings = FindingSection(report: report)
    let all: [any HTMLSection] = [
      SizeSection(report: report), ReviewSection(report: report), ModelSection(report: report),
      RelationshipSection(report: report), GrowthSection(report: report),
      ExternalDataSection(report: report),
      OverviewSection(report: report, showsValues: showsValues),
    ]
    let others = all.filter { !$0.isEmpty }
    return findings.isUrgent ? [findings] + others : others + [findings]
  }

  /// The text of the page.
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

  /// The name of the file.
  private var name: String {
    report.inspection.path.split(separator: "/").last.map(String.init) ?? report.inspection.path
  }

  private var kind: String {
    report.inspection.kind == .store ? "Core Data store" : "Archive of a Core Data store"
  }
}
