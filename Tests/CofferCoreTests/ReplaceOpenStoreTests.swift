import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
import Testing

/// A store that another program has open is not replaced, because its later writes would be lost.
@Suite struct ReplaceOpenStoreTests {
  @Test func aStoreThatThisProcessHasOpenIsNotReplaced() throws {
    let folder = try TemporaryDirectory()
    let (store, archive) = try storeAndArchive(in: folder)
    let before = try folder.contents()
    do {
      let connection = try GeneratorDatabase(path: store)
      #expect(try connection.integer("SELECT count(*) FROM Z_METADATA") == 1)
      let error = #expect(throws: CofferError.self) {
        try StoreImporter(options: ImportOptions(overwriting: true)).import(archive, to: store)
      }
      #expect(error?.code == .storeBusy)
      #expect(try folder.contents().filter { $0.hasPrefix(".coffer") } == [])
      #expect(try connection.integer("SELECT count(*) FROM Z_METADATA") == 1)
    }
    #expect(try folder.contents() == before)
  }

  @Test func aStoreThatNobodyHasOpenIsReplacedWithItsCompanions() throws {
    let folder = try TemporaryDirectory()
    let (store, archive) = try storeAndArchive(in: folder)
    _ = try folder.write([1, 2, 3], to: "Todo.sqlite-shm")
    try StoreImporter(options: ImportOptions(overwriting: true)).import(archive, to: store)
    #expect(try !folder.contents().contains("Todo.sqlite-shm"))
    #expect(try PersistentStore(readingFrom: store).uuid != nil)
  }

  private func storeAndArchive(in folder: TemporaryDirectory) throws -> (String, String) {
    let store = folder.file("Todo.sqlite")
    try SampleStore.write(to: store)
    let archive = folder.file("Todo.coffer.tar.gz")
    try StoreExporter().export(PersistentStore(readingFrom: store), to: archive)
    return (store, archive)
  }
}
