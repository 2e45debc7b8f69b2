internal import CoreDataModel

extension StoreReport {
  /// The report as a page: one HTML file with its styles and drawings, for light and dark
  /// appearance and for paper.
  ///
  /// It loads nothing and has no scripts, and its content security policy forbids both. The same
  /// report always gives the same text. It contains names, such as those of entities, but no values
  /// of objects.
  ///
  /// - Parameter showsValues: whether to include the values of the metadata; apps may keep secrets
  ///   there.
  /// - Returns: the text of the page.
  public func html(showsValues: Bool = false) -> String {
    HTMLReport(self, showsValues: showsValues).text
  }
}

/// A report as a page: one file that loads nothing, runs nothing, and prints well.
struct HTMLReport {
  private let report: StoreReport
  private let showsValues: Bool

  init(_ report: StoreReport, showsValues: Bool) {
    self.report = report
    self.showsValues = showsValues
  }

  /// The sections in their order, with their identifiers.
  private var sections: [any HTMLSection] {
    [
      OverviewSection(report: report, showsValues: showsValues), ModelSection(report: report),
      SizeSection(report: report), GrowthSection(report: report),
      ExternalDataSection(report: report), RelationshipSection(report: report),
      FindingSection(report: report),
    ]
  }

  /// The text of the page.
  var text: String {
    HTMLPage(
      title: "\(name) – report", kind: kind, style: HTMLStyle.text, sections: sections,
      note: "Made by coffer. This page loads nothing and runs no scripts. Times are in UTC."
    ).text { page in
      page.element("h1") { $0.name(name) }
      ReportTiles(report: report).write(to: &page)
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
