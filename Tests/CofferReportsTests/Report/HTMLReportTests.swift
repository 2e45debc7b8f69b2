internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

/// The page itself: harmless, whole, and the same each time.
@Suite struct HTMLReportTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  /// A report in which every name of the model wants to be markup.
  static func hostile(_ samples: SampleSources) throws -> StoreReport {
    let evil = "<script>alert(1)</script>\u{202E}\u{0}\"'&"
    var report = try StoreReporter().report(on: samples.sample)
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: Name(evil), superentityName: Name(evil),
          attributes: [AttributeDescription(name: Name(evil), type: .date)],
          relationships: [RelationshipDescription(name: Name(evil), destinationName: Name(evil))])
      ], versionIdentifiers: [Name(evil)], source: .inferred)
    report.inspection.model = model
    report.inspection.path = "/tmp/\(evil)"
    report.inspection.storeUUID = evil
    report.inspection.modelProblem = evil
    report.inspection.metadata = [MetadataValue(name: evil, value: evil)]
    for index in report.inspection.entities.indices {
      report.inspection.entities[index].name = Name(evil)
      report.inspection.entities[index].superentityName = Name(evil)
      report.inspection.entities[index].attributes = model.entities[0].attributes
      report.inspection.entities[index].relationships = model.entities[0].relationships
    }
    report.inspection.unknownTables = [TableInspection(name: evil, rowCount: .max)]
    report.inspection.unknownColumns = [ColumnInspection(tableName: evil, name: evil)]
    for index in report.entities.indices { report.entities[index].name = Name(evil) }
    report.lastTransaction = nil
    report.latestDate = LatestDate(entityName: Name(evil), name: Name(evil), day: evil)
    for index in report.parts.indices { report.parts[index].name = evil }
    report.findings.problem = evil
    report.findings.groups = [
      .init(
        code: .danglingRelationship, count: .max,
        examples: [Finding(.danglingRelationship, entityName: Name(evil), detail: evil)])
    ]
    return report
  }

  @Test func namesAreNoMarkup() throws {
    let page = try Self.hostile(samples).html(showsValues: true)
    #expect(page.lowercased().components(separatedBy: "<script").count == 2)
    #expect(!page.contains("\u{202E}") && !page.contains("\u{0}"))
    #expect(page.contains("&lt;script&gt;alert(1)"))
    #expect(
      page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;"))
  }

  /// The script is the one that the policy names, and the page is whole without it.
  @Test(.enabled(if: ProcessRunner.find("python3") != nil))
  func theOnlyScriptIsAllowedByItsHash() throws {
    let page = try StoreReporter().report(on: samples.sample).html()
    let start = try #require(page.range(of: "<script>")).upperBound
    let end = try #require(page.range(of: "</script>")).lowerBound
    let python = """
      import base64, hashlib, sys
      print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode(), end="")
      """
    let result = try ProcessRunner(try #require(ProcessRunner.find("python3")))
      .run(["-c", python], input: Array(page[start..<end].utf8))
    let hash = result.output
    #expect(hash.utf8.count == 44)
    #expect(page.contains("script-src &#39;sha256-\(hash)&#39;; base-uri"))
    #expect(!page.contains(" onclick=") && !page.contains("javascript:"))
    // Only the search box waits for it.
    #expect(page.components(separatedBy: " hidden=\"\"").count == 2)
  }

  @Test func findingsComeFirstWhenThereAreAny() throws {
    func order(_ path: String) throws -> (tiles: [String], sections: [String], page: String) {
      let page = try StoreReporter().report(on: path).html()
      return (
        page.matches(of: /<dt>([A-Za-z ]+)<\/dt><dd class="figure">/).map { String($0.output.1) },
        page.matches(of: /<section id="([a-z-]+)"/).map { String($0.output.1) }, page
      )
    }
    let sound = try order(samples.sample)
    #expect(!sound.tiles.contains("Findings"))
    #expect(sound.page.contains("<strong>✓ Healthy.</strong>"))
    #expect(sound.sections.first == "size" && sound.sections.last == "findings")
    let path = try samples.copy()
    try Damage.danglingToOne.apply(to: path)
    let broken = try order(path)
    #expect(broken.tiles.first == "Findings")
    #expect(broken.page.contains("<strong>✕ Not healthy.</strong>"))
    #expect(broken.sections.first == "findings")
    #expect(Set(broken.sections) == Set(sound.sections))
    #expect(
      broken.page.contains(
        "<div class=\"linked error\"><dt>Findings</dt>"
          + "<dd class=\"figure\"><a href=\"#findings\">1</a></dd>"))
    #expect(broken.page.contains("<a href=\"#finding-dangling-relationship\">"))
    #expect(broken.page.contains("id=\"finding-dangling-relationship\""))
  }

  /// What a reader looks for first comes first: health, app, system, path, UUID.
  @Test func thePageBeginsWithWhatItIsAbout() throws {
    let report = try StoreReporter().report(on: samples.sample)
    let page = report.html()
    let header = try #require(page.range(of: "</header>"))
    let uuid = try #require(report.inspection.storeUUID)
    let places = try [
      "Healthy", "<dt>App</dt><dd><bdi>org.<wbr>example", "<dt>System</dt>", "<dt>Path</dt>", uuid,
    ].map { try #require(page.range(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted() && places.allSatisfy { $0 < header.lowerBound })
    // Only a name identifies the app of a store in a container.
    var moved = report
    moved.lastWriter = nil
    moved.inspection.path = "/Users/a/Library/Containers/com.example.Trips/Data/Trips.sqlite"
    #expect(moved.html().contains("<dt>App</dt><dd><bdi>com.<wbr>example.<wbr>Trips</bdi>"))
  }

  /// A small store has a small page: no figure of nothing, no section of "none".
  @Test func whatIsNotThereIsNotShown() throws {
    var report = try StoreReporter().report(on: samples.sample)
    #expect(report.html().contains("<dt>External data</dt>"))
    (report.externalData.fileCount, report.externalData.byteCount) = (0, 0)
    (report.externalData.attributes, report.externalData.largest) = ([], [])
    report.inspection.history = nil
    report.repeatedKeys = []
    (report.inspection.freeByteCount, report.inspection.logByteCount) = (0, 0)
    for index in report.attributes.indices { report.attributes[index].valueCount = 1 }
    let page = report.html()
    for text in [
      "External data", "0 bytes</dd>", "Worth a look", "Likely", "Never set", ">none<", ">empty<",
      "<dt>History</dt>",
    ] { #expect(!page.contains(text), "\(text)") }
  }

  @Test func longListsAreFolded() throws {
    var report = try StoreReporter().report(on: samples.sample)
    let attribute = try #require(report.attributes.first)
    report.attributes = (0..<105).map {
      var one = attribute
      (one.entityName, one.name) = ("E\($0 % 40)", "a\($0)")
      (one.ownerCount, one.valueCount) = (1, 0)
      return one
    }
    report.entities = (0..<30).map {
      EntitySize(name: "E\($0)", objectCount: 30 - $0, byteCount: 10)
    }
    let page = report.html()
    #expect(page.contains("<summary>105 attributes of 40 entities</summary>"))
    #expect(page.contains("<summary>22 more</summary>"))
  }

  @Test func entitiesWithoutObjectsAreFolded() throws {
    var report = try StoreReporter().report(on: samples.sample)
    report.entities = [
      EntitySize(name: "Few", objectCount: 2, byteCount: 90),
      EntitySize(name: "None", objectCount: 0, byteCount: 0),
      EntitySize(name: "Many", objectCount: 30, byteCount: 10),
    ]
    let page = report.html()
    let places = try [
      "<bdi>Many</bdi>", "<bdi>Few</bdi>", "<summary>1 entity without objects", "<bdi>None</bdi>",
    ]
    .map { try #require(page.range(of: $0)).lowerBound }
    #expect(places == places.sorted())
  }

  /// Many entities are drawn by their names, connected ones together, and unfold.
  @Test func manyEntitiesAreDrawnByTheirNames() throws {
    var report = try StoreReporter().report(on: samples.sample)
    #expect(report.html().components(separatedBy: "class=\"diagram\"").count == 2)
    report.inspection.model = ModelSamples.made(40)
    let clusters = ModelDiagram(report.inspection.model).clusters.filter { $0.entities.count > 1 }
    let page = report.html()
    #expect(page.components(separatedBy: "class=\"diagram\"").count - 1 == 2 * clusters.count)
    #expect(
      page.components(separatedBy: "With their properties</summary>").count - 1 == clusters.count)
    for entity in report.inspection.model.entities { #expect(page.contains(entity.name.text)) }
  }

  @Test func elementsAreClosedInOrder() throws {
    for page in [
      try StoreReporter().report(on: samples.sample).html(), try Self.hostile(samples).html(),
    ] {
      var open: [Substring] = []
      for match in page.matches(of: /<(\/?)([a-z0-9]+)([^>]*?)(\/?)>/) {
        let name = match.output.2
        if match.output.1 == "/" {
          #expect(open.popLast() == name)
        } else if match.output.4 != "/", !["meta", "input", "wbr"].contains(name) {
          open.append(name)
        }
      }
      #expect(open.isEmpty)
    }
  }

  @Test func nothingIsLoaded() throws {
    let page = try StoreReporter().report(on: samples.sample).html()
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("url("))
    #expect(!page.contains(" src="))
  }

  @Test func valuesOfTheMetadataAreShownWhenAsked() throws {
    let report = try StoreReporter().report(on: samples.sample)
    let entry = try #require(report.inspection.metadata.first { !$0.value.isEmpty })
    #expect(!report.html().contains(HTMLText.escaped(entry.value)))
    #expect(report.html().contains(HTMLText.escaped(entry.name)))
    #expect(report.html(showsValues: true).contains("value not shown") == false)
  }

  @Test func theSameStoreGivesTheSamePage() throws {
    let first = try StoreReporter().report(on: samples.sample).html()
    #expect(try StoreReporter().report(on: samples.sample).html() == first)
  }

  @Test func aModelThatIsTooLargeIsListed() throws {
    var report = try StoreReporter().report(on: samples.sample)
    let count = ModelDiagram.largestDrawing.entities + 1
    report.inspection.model = ManagedObjectModel(
      entities: (0..<count).map { EntityDescription(name: "E\($0)") }, source: .file)
    let page = report.html()
    #expect(page.contains("too large to draw"))
    #expect(!page.contains("class=\"diagram\""))
  }
}
