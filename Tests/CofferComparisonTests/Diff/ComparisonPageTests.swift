internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferCore
@testable internal import CofferReports

/// The page of a comparison shows and cuts the right parts, and nothing in a store is markup.
@Suite struct ComparisonPageTests {
  private func page(_ differences: [Difference], _ summary: ComparisonSummary) -> String {
    var page = ComparisonPage(first: "a/Old.sqlite", second: "b/New.sqlite")
    for difference in differences { page.add(difference) }
    return page.html(summary)
  }

  private func summary(_ entity: Name, changed: Int, added: Int = 0) -> ComparisonSummary {
    var summary = ComparisonSummary(firstKind: .store, secondKind: .store)
    var counts = ComparisonSummary.Counts()
    (counts.changed, counts.added) = (changed, added)
    summary.entities = [.init(entityName: entity, counts: counts)]
    summary.matching = [EntityMatching(entityName: entity, rule: .naturalKey(["name"]))]
    return summary
  }

  private func change(_ entity: Name, _ key: Int64, _ old: String?, _ new: String?) -> Difference {
    .object(
      ObjectDifference(
        kind: .changed, objectID: ManagedObjectID(entityName: entity, primaryKey: key),
        oldObjectID: ManagedObjectID(entityName: entity, primaryKey: 70),
        properties: [
          PropertyDifference(subject: .attribute, name: "title", oldValue: old, newValue: new)
        ]))
  }

  @Test func valuesStandSideBySideWithTheDifferingWordsMarked() {
    let text = page(
      [change("Note", 7, #""milk and bread""#, #""milk and \"eggs\"""#)],
      summary("Note", changed: 1))
    #expect(text.contains("<bdi>milk and <del>bread</del></bdi>"))
    #expect(text.contains("<bdi>milk and <ins>&quot;eggs&quot;</ins></bdi>"))
    #expect(text.contains("(was p70)"))
    #expect(text.contains("<bdi>Old.<wbr>sqlite</bdi> → <bdi>New.<wbr>sqlite</bdi>"))
    #expect(text.contains("<bdi>name</bdi></td>"))
  }

  @Test func whatWasRemovedIsShownWithItsTitleAndValues() throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: [
      "DELETE FROM ZTAGENTITY WHERE Z_PK = 2",
      "UPDATE ZPERSONENTITY SET Z_OPT = Z_OPT + 1",
    ])
    var options = ComparisonOptions(includesValues: true)
    options.describesObjects = true
    options.matchesByObjectID = true
    var page = ComparisonPage(first: samples.sample, second: changed)
    let summary = try StoreComparison(options: options)
      .compare(samples.sample, changed) { page.add($0) }
    let text = page.html(summary)
    let name = try #require(
      try GeneratorDatabase(path: samples.sample)
        .rows("SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 2").first?.first)
    guard case .text(let bytes) = name else { throw GeneratorError("no name") }
    let title = HTMLText.escaped(String(decoding: bytes, as: UTF8.self))
    #expect(text.contains("<span class=\"title\"><bdi>\(title)</bdi></span>"))
    #expect(text.contains("<bdi>TagEntity/p2</bdi>"))
    #expect(
      text.contains("<th scope=\"row\"><bdi>name</bdi></th><td data-title=\"Before\"><bdi>\(title)")
    )
    // Objects that were only saved again are one folded line.
    #expect(text.contains("objects with another version, and the same values</summary>"))
    #expect(!text.contains("<bdi>version</bdi>"))
  }

  @Test func versionsAreQuiet() {
    var difference = ObjectDifference(
      kind: .changed, objectID: ManagedObjectID(entityName: "Note", primaryKey: 1), properties: [])
    difference.properties = [
      PropertyDifference(subject: .version, name: "", oldValue: "1", newValue: "2"),
      PropertyDifference(subject: .attribute, name: "title", oldValue: "\"a\"", newValue: "\"b\""),
    ]
    let text = page([.object(difference)], summary("Note", changed: 1))
    #expect(text.contains("<tr class=\"quiet\"><th scope=\"row\"><bdi>version</bdi>"))
    #expect(!text.contains("<del>1</del>") && text.contains("<del>a</del>"))
  }

  @Test func nothingInAStoreIsMarkup() {
    let evil = "<script>alert('x')</script>"
    let text = page(
      [change(Name(evil), 1, "\"\(evil)\"", "\"\u{202E}&\"")], summary(Name(evil), changed: 1))
    // The only one is the search box.
    #expect(text.ranges(of: "<script").count == 1)
    #expect(!text.contains("\u{202E}"))
    #expect(text.contains("&lt;script&gt;"))
    #expect(text.contains("default-src &#39;none&#39;"))
  }

  @Test func largeResultsAreCutAndCounted() {
    let long = "\"" + String(repeating: "é", count: 9000) + "\""
    var differences = (0..<500).map { change("Note", Int64($0), "1", "2") }
    differences.insert(change("Note", 999, long, nil), at: 0)
    let text = page(differences, summary("Note", changed: 501))
    #expect(text.contains("… (5,000 more characters)"))
    #expect(text.contains("… and 301 more changed"))
    #expect(text.utf8.count < 200_000)
    #expect(text.contains(">nothing</span>"))
  }

  @Test func differencesOfStoresMakeAPage() throws {
    let samples = try SampleSources()
    let changed = try samples.copy(changing: [
      "UPDATE ZTAGENTITY SET ZNAME = 'brand new' WHERE Z_PK = 1",
      "DELETE FROM Z_4TAGS", "UPDATE Z_METADATA SET Z_UUID = 'x'",
    ])
    var page = ComparisonPage(first: samples.sample, second: changed)
    let summary = try StoreComparison(options: ComparisonOptions(includesValues: true))
      .compare(samples.sample, changed) { page.add($0) }
    let text = page.html(summary)
    #expect(text.contains("TodoEntity.tags"))
    #expect(text.contains("store uuid"))
    let equal = try StoreComparison().compare(samples.sample, samples.sample)
    let none = ComparisonPage(first: samples.sample, second: samples.sample).html(equal)
    #expect(none.contains("There are no differences."))
  }
}
