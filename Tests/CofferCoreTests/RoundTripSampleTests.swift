internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The sample store, which has every kind of property, goes out and comes back.
@Suite struct RoundTripSampleTests {
  @Test(arguments: [SampleStoreBuilder.Journal.wal, .delete])
  func theSampleComesBackTheSame(_ journal: SampleStoreBuilder.Journal) throws {
    let sample = try SampleCopy(journal: journal)
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    #expect(trip.exported.findings == [])
    #expect(trip.imported.findings == [])
    #expect(trip.exported.content.externalFileCount == 2)
    #expect(trip.imported.content.externalFileCount == 2)
  }

  @Test func changesInTheLogComeBack() throws {
    let sample = try SampleCopy()
    let copy = sample.folder.file("Copy.sqlite")
    try OpenStores.copyWithLog(
      of: sample.path, to: copy, changedBy: "UPDATE ZTAGENTITY SET ZCOLOR = 5 WHERE Z_PK = 1")
    let before = try FolderState(of: sample.folder.path)
    #expect(try RoundTrip(of: copy).problems() == [])
    #expect(try FolderState(of: sample.folder.path) == before)
  }

  @Test func aHotJournalIsRolledBackInTheArchiveAlone() throws {
    let sample = try SampleCopy(journal: .delete)
    let copy = sample.folder.file("Copy.sqlite")
    let original = sample.folder.file("Original.sqlite")
    _ = try StoreFiles(sample.path).copy(to: original)
    try OpenStores.copyWithHotJournal(
      of: sample.path, to: copy,
      changedBy: "UPDATE ZITEMENTITY SET ZTITLE = hex(zeroblob(9000)); DELETE FROM ZTAGENTITY")
    let before = try FolderState(of: sample.folder.path)
    let trip = try RoundTrip(of: copy)
    #expect(try FolderState(of: sample.folder.path) == before)
    #expect(try trip.problems() == [])
    #expect(try StoreComparer.differences(original, trip.copy) == [])
  }

  @Test(arguments: [
    "DELETE FROM Z_MODELCACHE", "DROP TABLE Z_MODELCACHE",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'",
  ])
  func aStoreWithoutAModelComesBackTheSame(_ sql: String) throws {
    let sample = try SampleCopy(changedBy: sql)
    #expect(try PersistentStore(readingFrom: sample.path).model.source.rawValue == "inferred")
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  @Test(arguments: [
    "Recipes.sqlite", "v2WALDatabase/ATDataModel.sqlite", "data/ATDataModelv4.sqlite",
  ])
  func aRealStoreComesBackFromZstd(_ name: String) throws {
    let store = RealStores.named(name) ?? RealStores.any[0]
    let options = ExportOptions(compression: .zstd)
    let trip = try RoundTrip(of: store.path, exporting: options)
    #expect(try trip.problems() == [])
    let gzip = try RoundTrip(of: store.path)
    #expect(trip.exported.digest == gzip.exported.digest)
    let compared = try StoreComparison().compare(trip.archive, gzip.archive) { _ in }
    #expect(compared.isEqual)
  }

  @Test func aGeneratedStoreComesBackTheSame() throws {
    let folder = try TemporaryDirectory()
    var options = GeneratorOptions()
    options.objectCount = 20_000
    options.externalCount = 10
    try StoreMaker.write(to: folder.file("Large.sqlite"), options)
    let trip = try RoundTrip(of: folder.file("Large.sqlite"))
    #expect(try trip.problems() == [])
    #expect(trip.exported.objectCount == 20_000)
    #expect(trip.imported.findings.filter { $0.severity == .error } == [])
  }

  @Test(
    arguments: [
      ExportOptions(level: 0), ExportOptions(level: 1, threads: 4), ExportOptions(level: 9),
      ExportOptions(compression: .zstd), ExportOptions(compression: .zstd, level: 1, threads: 1),
      ExportOptions(compression: .zstd, level: 19, threads: 4),
    ])
  func optionsOfCompressionChangeNothing(_ options: ExportOptions) throws {
    let sample = try SampleCopy()
    let store = try PersistentStore(readingFrom: sample.path)
    let archive = sample.folder.file("Store.coffer.tar.gz")
    let plain = try StoreExporter().export(store, to: sample.folder.file("Plain"))
    let summary = try StoreExporter(options: options).export(store, to: archive)
    #expect(summary.digest == plain.digest)
    #expect(summary.contentDigest == plain.contentDigest)
    let copy = sample.folder.file("Copy.sqlite")
    #expect(try StoreImporter().import(archive, to: copy).digest == plain.digest)
    #expect(try StoreComparer.differences(sample.path, copy) == [])
  }
}
