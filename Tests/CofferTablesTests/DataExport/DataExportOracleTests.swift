internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Every value of every object is in every format the same as in the store.
@Suite struct DataExportOracleTests {
  /// Inheritance, ordered and many-to-many relationships, derived attributes, external data, constraints.
  private static let stores = [
    "SampleModel2_V2.sqlite", "SampleModel_V2.sqlite", "Bookmarks_V5.sqlite",
    "NoteStore-macOS-14-Sonoma.sqlite",
    "Test-PhotoScript-10.15.7.photoslibrary/database/Photos.sqlite",
    "SyncMetadata_V3.sqlite", "voice4youData.store",
  ]

  @Test(.enabled(if: Oracle.isAvailable, "needs COFFER_ORACLES"))
  func theSampleIsTheSameInEveryShape() throws {
    let trial = try DataExportTrial(SampleCopy())
    for summary in try trial.writeAll() {
      #expect(summary.objectCount == 37)
      #expect(summary.externalFileCount == 2)
    }
    #expect(try trial.judge() == [])
  }

  @Test(
    .enabled(if: Oracle.isAvailable && RealStores.isAvailable, "needs COFFER_REAL_STORES"),
    arguments: stores)
  func realStoresAreTheSameInEveryShape(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let store = try RealStores.copy(try #require(RealStores.named(name)), to: folder)
    let trial = DataExportTrial(folder: folder, store: store)
    for summary in try trial.writeAll() { #expect(summary.warnings == [], "\(summary.format)") }
    #expect(try trial.judge() == [])
  }

  /// A judge that finds nothing could be blind.
  @Test(.enabled(if: Oracle.isAvailable, "needs COFFER_ORACLES"))
  func theJudgeSeesAChange() throws {
    let sample = try SampleCopy()
    let trial = DataExportTrial(sample)
    _ = try trial.writeAll()
    try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'another' WHERE Z_PK = 1")
    #expect(try trial.judge().count == 4)
  }
}
