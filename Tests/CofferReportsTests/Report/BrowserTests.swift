internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Chromium is the judge: the page stands without a complaint, loads nothing, and fits.
@Suite struct BrowserTests {
  /// A browser's report about one opening of a page, as `look-at-page.py` writes it.
  private struct Look: Decodable {
    var page: String
    var view: String
    var title: String
    var sections: Int
    var width: Int
    var room: Int
    var repeatedIdentifiers: [String]
    var brokenLinks: [String]
    var brokenLabels: [String]
    var skippedHeadings: Int
    var unnamedDrawings: Int
    var cellsWithoutHeading: Int
    var scripts: Int
    var text: String
    var words: String
    var headings: [String]
    var found: Found
    var cut: [String]
    var complaints: [String]
    var requests: [String]
  }

  /// The page after a search for the name of the first entity, and after the search was cleared.
  private struct Found: Decodable {
    var isOffered: Bool
    var answer: String
    var hidden: Int
    var marked: Int
    var hiddenAfter: Int
    var openAfter: Int
  }

  private static let browser =
    ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(ProcessRunner.find).first

  // Where there are real stores everything is to be tried, so the browser has to be there.
  @Test(
    .enabled(
      if: (browser != nil && ProcessRunner.find("python3") != nil) || RealStores.isAvailable,
      "needs the program chromium (the package chromium) and Python"))
  func aBrowserShowsThePagesAsTheyAreMeant() throws {
    let samples = try SampleSources()
    let browser = try #require(Self.browser, "chromium is not to be found")
    let python = try #require(ProcessRunner.find("python3"))
    var pages = [
      try page("Sample", of: StoreReporter().report(on: samples.sample), samples),
      try page("Hostile", of: HTMLReportTests.hostile(samples), samples),
    ]
    if let photos = RealStores.all.first(where: { $0.name.hasSuffix("Photos.sqlite") }) {
      let copy = try RealStores.copy(photos, to: samples.directory)
      pages.append(try page("Photos", of: StoreReporter().report(on: copy), samples))
    }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("look-at-page.py").path
    let result = try ProcessRunner(python).run([script, browser, samples.directory.path] + pages)
    try #require(result.status == 0, "\(result.errorOutput)")
    let looks = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Look.self, from: Data($0.utf8))
    }
    #expect(looks.count == 4 * pages.count)
    for look in looks { expectSound(look) }
    // Without scripts, everything works except the search box.
    for (light, plain) in zip(
      looks.filter { $0.view == "light" }, looks.filter { $0.view == "plain" })
    {
      #expect(light.words == plain.words, "\(plain.page)")
      #expect(light.found.isOffered && !plain.found.isOffered)
    }
    #expect(looks.first?.title == "Sample.sqlite – report")
    let printed = FileManager.default.contents(atPath: samples.directory.file("Sample-print.pdf"))
    #expect(printed?.starts(with: Data("%PDF-".utf8)) == true)
    if let reader = ProcessRunner.find("pdftotext") {
      for look in looks where look.view == "dark" { try expectPrinted(look, reader) }
    }
    let picture = FileManager.default.contents(atPath: samples.directory.file("Sample-dark.png"))
    #expect((picture?.count ?? 0) > 50_000)
  }

  private func page(
    _ name: String, of report: StoreReport, _ samples: SampleSources
  ) throws -> String {
    let path = samples.directory.file("\(name).html")
    try Data(report.html(showsValues: true).utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The first printed page sums up, and no page ends with a heading.
  private func expectPrinted(_ look: Look, _ reader: String) throws {
    let file = look.page.replacingOccurrences(of: ".html", with: "-print.pdf")
    let pages = try ProcessRunner(reader).run(["-layout", file, "-"]).output
      .components(separatedBy: "\u{0C}")
      .map { page in
        page.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }.filter { !$0.isEmpty }
    let first = try #require(pages.first)
    #expect(first.contains("At a glance"), "\(look.page)")
    #expect(!first.contains("Objects and bytes") && !first.contains("Details"), "\(look.page)")
    #expect(pages.count > 2, "\(look.page)")
    for page in pages {
      #expect(!look.headings.contains(page.last ?? ""), "\(look.page): \(page.last ?? "")")
    }
  }

  private func expectSound(_ look: Look) {
    let place: Comment = "\(look.page), \(look.view)"
    #expect(look.complaints == [], place)
    #expect(look.requests == ["file://\(look.page)"], place)
    #expect((5...6).contains(look.sections), place)
    // Nothing but a drawing at its full size is wider than a phone.
    if look.view == "phone" { #expect(look.cut == [], place) }
    #expect(look.width <= look.room, place)
    #expect(
      look.repeatedIdentifiers == [] && look.brokenLinks == [] && look.brokenLabels == [], place)
    #expect(look.skippedHeadings == 0, place)
    #expect(look.unnamedDrawings == 0, place)
    #expect(look.cellsWithoutHeading == 0, place)
    #expect(look.scripts == 1, place)
    if look.view != "plain" {
      let found = look.found
      #expect(found.answer.hasSuffix("matches") || found.answer == "1 match", place)
      #expect(found.hidden > 0 && found.marked > 0, "\(look.page), \(look.view): \(found)")
      #expect(found.hiddenAfter == 0 && found.openAfter == 0, place)
    }
    #expect(look.text.contains("Changed last"), place)
  }
}
