import CofferKit
internal import CoreDataModel
// Only the imports of an app: no `package` symbol of the other modules is visible.
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
import Testing

/// The examples of the documentation, run as they stand there.
@Suite struct LibraryExampleTests {
  @Test func anAppBacksAStoreUpAndRestoresIt() throws {
    let folder = try TemporaryDirectory()
    let trips = folder.file("Trips.sqlite")
    try SampleStore.write(to: trips)
    let archive = folder.file("Trips.coffer.tar.gz")
    let copy = folder.file("Copy.sqlite")

    let store = try PersistentStore(readingFrom: trips)
    let exported = try StoreExporter().export(store, to: archive)
    #expect(exported.objectCount > 0)
    #expect(exported.errorCount == 0)

    let restored = try StoreImporter().import(archive, to: copy)
    #expect(restored.content == exported.content)
    #expect(restored.digest == exported.digest)
    #expect(restored.findings.filter { $0.severity == .error }.isEmpty)
  }

  @Test func anAppReadsTheModelOfAStore() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Trips.sqlite")
    try SampleStore.write(to: path)

    let store = try PersistentStore(readingFrom: path)
    #expect(store.model.source == .modelCache)
    #expect(store.model["TodoEntity"]?.superentityName != nil)
  }

  @Test func anAppIsToldWhyAnArchiveCannotBeRead() throws {
    let folder = try TemporaryDirectory()
    let archive = try folder.write(Array("not an archive".utf8), to: "Trips.coffer.tar.gz")

    let error = #expect(throws: CofferError.self) {
      try StoreImporter().import(archive, to: folder.file("Copy.sqlite"))
    }
    #expect(error?.code == .notAnArchive)
    #expect(try folder.contents() == ["Trips.coffer.tar.gz"])
  }

  @Test func anAppShowsItsUserHowFarTheWorkIs() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Trips.sqlite")
    try SampleStore.write(to: path)
    let archive = folder.file("Trips.coffer.tar.gz")
    try StoreExporter().export(PersistentStore(readingFrom: path), to: archive)

    let recorder = ProgressRecorder()
    try StoreImporter(progress: recorder).import(archive, to: folder.file("Copy.sqlite"))
    #expect(recorder.phases.contains(.objects))
    #expect(recorder.phases.contains(.indexes))
  }
}
