internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Nothing is made of a store without the parts of it that SQLite passes over silently.
@Suite struct DamagedOriginalTests {
  /// The errors of everything that reads all objects of a store.
  private func errors(of sample: SampleCopy) -> [String: CofferError.Code?] {
    let store = sample.path
    func new(_ name: String) -> String { sample.folder.file(name) }
    func code(_ body: () throws -> Void) -> CofferError.Code? {
      do {
        try body()
        return nil
      } catch {
        return (error as? CofferError)?.code
      }
    }
    return [
      "export": code { try StoreExporter().export(storeAt: store, to: new("Export.tar.gz")) },
      "compact": code { try StoreCompactor().compact(store, at: new("Compact.sqlite")) },
      "dedupe": code { try StoreDeduplicator().deduplicate(store, at: new("Dedupe.sqlite")) },
      "anonymize": code { try StoreAnonymizer().anonymize(store, to: new("Share.sqlite")) },
      "diff": code {
        try StoreComparison(options: ComparisonOptions()).compare(store, store)
      },
      "tables export": code {
        _ = try DataExporter(options: DataExportOptions(format: .csv))
          .write(store, to: new("Tables"))
      },
      "migrate --dry-run": code { _ = try StoreMigrator().plan(store, to: store) },
      "migrate": code {
        try StoreMigrator().migrate(store, to: store, at: new("Migrate.sqlite"))
      },
    ]
  }

  private func expectRefusals(of sample: SampleCopy) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path).sorted()
    for (name, code) in errors(of: sample) { #expect(code == .damagedStore, "\(name)") }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.folder.path).sorted() == before)
  }

  @Test(arguments: [Damage.damagedLog, .damagedLogHeader])
  func aLogThatDoesNotApplyIsNotLeftBehind(_ damage: Damage) throws {
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    try expectRefusals(of: sample)
  }

  @Test func aPageThatHidesItsRowsIsNotLeftOut() throws {
    let sample = try SampleCopy(journal: .delete)
    let map = try PageMap(sample.path)
    let page = try #require(map.pages(of: "ZTAGENTITY", .tableLeaf).first)
    let url = URL(fileURLWithPath: sample.path)
    var bytes = try Data(contentsOf: url)
    // The number of cells.
    let count = (page.number - 1) * map.pageSize + 3
    bytes.replaceSubrange(count..<(count + 2), with: [0, 0])
    try bytes.write(to: url)
    #expect(try SampleCopy.rows(sample.path, "SELECT 1 FROM ZTAGENTITY NOT INDEXED").isEmpty)
    try expectRefusals(of: sample)
  }
}
