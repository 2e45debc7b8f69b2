internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Stores below a folder.
@Suite struct StoreFinderTests {
  private func paths(in folder: String) throws -> [String] {
    var paths: [String] = []
    try StoreFinder().find(in: folder) { paths.append(String($0.path.dropFirst(folder.count + 1))) }
    return paths
  }

  @Test func storesAreFoundByTheirContent() throws {
    let folder = try TemporaryDirectory()
    let files = FileManager.default
    for name in ["a/b/c", "a/.NAME_SUPPORT/_EXTERNAL_DATA", "z"] {
      try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try SampleStore.write(to: folder.file("a/b/c/0123abcd"))
    try SampleStore.write(to: folder.file("a/Notes.sqlite"), journal: .delete)
    try files.copyItem(
      atPath: folder.file("a/Notes.sqlite"),
      toPath: folder.file("a/.NAME_SUPPORT/_EXTERNAL_DATA/value"))
    _ = try folder.write([1, 2, 3], to: "z/False.sqlite")
    _ = try folder.write([], to: "z/Empty.sqlite")
    let other = try GeneratorDatabase(path: folder.file("z/Other.sqlite"))
    try other.run("CREATE TABLE A (B)")
    try files.createSymbolicLink(
      atPath: folder.file("z/loop"), withDestinationPath: folder.path)
    #expect(try paths(in: folder.path) == ["a/Notes.sqlite", "a/b/c/0123abcd"])
  }

  @Test func whatIsToldOfAStoreIsTrue() throws {
    let sample = try SampleCopy()
    var stores: [FoundStore] = []
    let summary = try StoreFinder().find(in: sample.path) { stores.append($0) }
    #expect(summary.storeCount == 1 && summary.fileCount == 1)
    let store = try #require(stores.first)
    let inspection = try StoreInspector().inspect(sample.path)
    #expect(store.storeUUID == inspection.storeUUID)
    #expect(store.entityNames == inspection.model.entities.map(\.name))
    #expect(store.objectCount == inspection.objectCount)
    #expect(store.problem == nil)
    let database = try #require(inspection.byteCount)
    #expect(store.byteCount == database + inspection.externalData.byteCount)
  }

  @Test func aBackupOfADeviceTellsWhatItsStoresWereCalled() throws {
    let folder = try TemporaryDirectory()
    let (known, unknown) = (String(repeating: "ab", count: 20), String(repeating: "cd", count: 20))
    for name in [known, unknown] {
      try FileManager.default.createDirectory(
        atPath: folder.file(String(name.prefix(2))), withIntermediateDirectories: false)
      try SampleStore.write(to: folder.file("\(name.prefix(2))/\(name)"), journal: .delete)
    }
    let manifest = try GeneratorDatabase(path: folder.file("Manifest.db"))
    try manifest.run("CREATE TABLE Files (fileID, domain, relativePath, flags, file)")
    try manifest.run(
      "INSERT INTO Files VALUES ('\(known)', 'AppDomain-org.example', 'Documents/A.sqlite', 1, NULL)"
    )
    let before = try folder.contents()
    var stores: [FoundStore] = []
    try StoreFinder().find(in: folder.path) { stores.append($0) }
    #expect(stores.map(\.devicePath) == ["AppDomain-org.example/Documents/A.sqlite", nil])
    #expect(try folder.contents() == before)
  }

  @Test(arguments: ["", "SQLite format 3\0", "bplist00 of an encrypted backup"])
  func aListThatCannotBeReadIsNoObstacle(_ text: String) throws {
    let folder = try TemporaryDirectory()
    try SampleStore.write(to: folder.file("0123"))
    _ = try folder.write(Array(text.utf8), to: "Manifest.db")
    #expect(try paths(in: folder.path) == ["0123"])
  }

  @Test func aStoreThatCannotBeOpenedIsToldWithTheReason() throws {
    let sample = try SampleCopy()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    // The list of tables is lost.
    let cut = bytes.prefix(100) + Data(repeating: 0xff, count: bytes.count - 100)
    try cut.write(to: URL(fileURLWithPath: sample.path))
    var stores: [FoundStore] = []
    try StoreFinder().find(in: sample.folder.path) { stores.append($0) }
    #expect(stores.map(\.problem).contains { $0 != nil })
  }

  @Test func aSearchThatHasSeenEnoughFilesEnds() throws {
    let folder = try TemporaryDirectory()
    for number in 0..<20 { _ = try folder.write([0], to: "\(number)") }
    var finder = StoreFinder()
    finder.fileLimit = 5
    #expect(try finder.find(in: folder.path) { _ in }.fileCount == 5)
  }

  #if os(Linux)
    /// Other systems accept no such names.
    @Test func namesThatAreNotUTF8AreReported() throws {
      let folder = try TemporaryDirectory()
      try SampleStore.write(to: folder.file("Todo.sqlite"))
      let store = Array((folder.path + "/caf").utf8CString.dropLast()) + [-1, 0]
      let file = unsafe try #require(unsafe fopen(store, "w"))
      unsafe fclose(file)
      var found = 0
      let summary = try StoreFinder().find(in: folder.path) { _ in found += 1 }
      #expect(found == 1)
      #expect(summary.unreadablePaths == [folder.file("caf\u{FFFD}")])
    }
  #endif

  @Test func nothingAtThePathIsAnError() throws {
    let folder = try TemporaryDirectory()
    #expect(errorCode { try StoreFinder().find(in: folder.file("none")) { _ in } } == "not-found")
  }

  @Test func allRealStoresAreFound() throws {
    // Opening may make companions in the folder, which is not ours: copies.
    let folder = try TemporaryDirectory()
    for (number, store) in RealStores.any.enumerated() {
      let own = folder.file("\(number)")
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      _ = try StoreFiles(store.path).copy(to: own + "/" + store.fileName)
    }
    #expect(try paths(in: folder.path).count == RealStores.any.count)
  }
}
