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
    var page = HTMLText()
    page.markup("<!DOCTYPE html>\n")
    page.element("html", ["lang": "en"]) { page in
      page.line()
      page.element("head") { head(&$0) }
      page.line()
      page.element("body") { body(&$0) }
      page.line()
    }
    page.line()
    return page.text
  }

  /// The name of the file.
  private var name: String {
    report.inspection.path.split(separator: "/").last.map(String.init) ?? report.inspection.path
  }

  private var kind: String {
    report.inspection.kind == .store ? "Core Data store" : "Archive of a Core Data store"
  }

  private func head(_ page: inout HTMLText) {
    page.markup("<meta charset=\"utf-8\">\n")
    // Nothing can be loaded or run, whatever a store holds.
    page.open(
      "meta",
      [
        "http-equiv": "Content-Security-Policy",
        "content":
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      ])
    page.line()
    page.open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    page.open("meta", ["name": "referrer", "content": "no-referrer"])
    page.open("meta", ["name": "color-scheme", "content": "light dark"])
    page.line()
    page.element("title", text: "\(name) – report")
    page.line()
    page.element("style") { $0.markup("\n" + HTMLStyle.text) }
  }

  private func body(_ page: inout HTMLText) {
    let sections = sections
    page.element("a", ["class": "skip", "href": "#content"], text: "Skip to the content")
    page.element("header") { page in
      page.element("p", ["class": "kind"], text: kind)
      page.element("h1") { $0.name(name) }
      ReportTiles(report: report).write(to: &page)
      page.element("nav", ["aria-label": "Sections"]) { page in
        page.element("ul") { page in
          for section in sections {
            page.element("li") { page in
              page.element("a", ["href": "#\(section.identifier)"], text: section.title)
            }
          }
        }
      }
    }
    page.line()
    page.element("main", ["id": "content", "tabindex": "-1"]) { page in
      for section in sections {
        page.line()
        let identifier = section.identifier
        page.element("section", ["id": identifier, "aria-labelledby": "\(identifier)-title"]) {
          page in
          page.element("h2", ["id": "\(identifier)-title"], text: section.title)
          section.write(to: &page)
        }
      }
    }
    page.line()
    page.element("footer") { page in
      page.element(
        "p", text: "Made by coffer. This page loads nothing and runs no scripts. Times are in UTC.")
    }
  }
}
