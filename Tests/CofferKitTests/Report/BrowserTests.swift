internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// Chromium is the judge: the page stands without a complaint, loads nothing, and fits.
@Suite struct BrowserTests {
  /// What a browser says of one opening of a page, as `look-at-page.py` writes it.
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
    var complaints: [String]
    var requests: [String]
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
    #expect(looks.count == 3 * pages.count)
    for look in looks { expectSound(look) }
    #expect(looks.first?.title == "Sample.sqlite – report")
    let printed = FileManager.default.contents(atPath: samples.directory.file("Sample-print.pdf"))
    #expect(printed?.starts(with: Data("%PDF-".utf8)) == true)
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

  private func expectSound(_ look: Look) {
    let place: Comment = "\(look.page), \(look.view)"
    #expect(look.complaints == [], place)
    #expect(look.requests == ["file://\(look.page)"], place)
    #expect(look.sections == 7, place)
    #expect(look.width <= look.room, place)
    #expect(
      look.repeatedIdentifiers == [] && look.brokenLinks == [] && look.brokenLabels == [], place)
    #expect(look.skippedHeadings == 0, place)
    #expect(look.unnamedDrawings == 0, place)
    #expect(look.cellsWithoutHeading == 0, place)
    #expect(look.scripts == 0, place)
    #expect(look.text.contains("Growth over time"), place)
  }
}
