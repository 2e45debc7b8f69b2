internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The archive includes the folders that CloudKit mirroring keeps next to a store, and no other file with
/// the store's name.
///
/// No real one was seen: these are as Core Data names them (store-format, section 6).
@Suite struct CompanionFolderTests {
  /// The names of a store's folders, without the name of the store.
  private static let folders = ["_ckAssets", "_ckAssetFiles"].flatMap { ending in
    ["Todo", ".Todo", "Todo.sqlite", ".Todo.sqlite"].map { $0 + ending }
  }

  private func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The sample store with files of its mirroring.
  private func mirroredSample() throws -> SampleCopy {
    let sample = try SampleCopy()
    try write("asset", to: sample.folder.file("Todo_ckAssets/0F1E.fxd"))
    return sample
  }

  private func entries(_ archive: String) throws -> [String] {
    try ArchiveRewriter(archive).entries.map(\.name).filter { $0.hasPrefix("beside/") }
  }

  @Test func everyFolderComesBackUnderTheNewName() throws {
    let sample = try SampleCopy()
    for (number, folder) in Self.folders.enumerated() {
      try write("\(number)", to: sample.folder.file("\(folder)/0F1E.fxd"))
      try write("", to: sample.folder.file("\(folder)/deep/a b%2Fe\u{301}"))
    }
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems().filter { !$0.hasPrefix("left over: ") } == [])
    #expect(trip.exported.content.externalFileCount == 2 + 2 * Self.folders.count)
    #expect(trip.exported.findings == [])
    for (number, folder) in Self.folders.enumerated() {
      let name = folder.replacingOccurrences(of: "Todo", with: "Copy")
      #expect(
        FileManager.default.contents(atPath: trip.folder.file("\(name)/0F1E.fxd"))
          == Data("\(number)".utf8))
    }
    #expect(
      try Array(entries(trip.archive).prefix(3))
        == [
          "beside/%2EFILE_ckAssetFiles/0F1E%2Efxd", "beside/%2EFILE_ckAssetFiles/deep/a%20b%252Fé",
          "beside/%2EFILE_ckAssets/0F1E%2Efxd",
        ].map { $0.replacingOccurrences(of: "é", with: "e\u{301}") })
  }

  @Test func onlyTheStoresOwnFoldersAreTaken() throws {
    let sample = try mirroredSample()
    for name in [
      "Todo_2.sqlite", "Todo_2.sqlite-wal", ".Todo_2_SUPPORT/x", "Todo_2_ckAssets/x",
      "Todo_2.sqlite.bak", "Todo_3", "Todo_3-wal", "Todolist_ckAssets/x", "Todo.json",
      "_ckAssets/x",
      "Todo_monday.coffer.tar.gz", ".Todo_a.coffer-partial-0123", "todo_ckAssets/x",
    ] {
      try write("another's", to: sample.folder.file(name))
    }
    let trip = try RoundTrip(of: sample.path)
    #expect(try entries(trip.archive) == ["beside/NAME_ckAssets/0F1E%2Efxd"])
    #expect(trip.exported.findings == [])
  }

  @Test func filesThatOnlyShareTheNameAreReported() throws {
    let sample = try mirroredSample()
    let strays = [
      ".Todo_cache/x", "Todo.sqlite copy", "Todo.sqlite.bak", "Todo.sqlite_SUPPORT/x",
      "Todo_photos/x", "Todo_thumbnail.png", "ckAssetFiles/x",
    ]
    for name in strays { try write("x", to: sample.folder.file(name)) }
    let trip = try RoundTrip(of: sample.path)
    #expect(try entries(trip.archive) == ["beside/NAME_ckAssets/0F1E%2Efxd"])
    #expect(Set(trip.exported.findings.map(\.code)) == [.unknownCompanion])
    #expect(
      trip.exported.findings.map(\.detail)
        == strays.map { $0.hasSuffix("/x") ? String($0.dropLast(2)) : $0 })
    let verified = try Verification(of: sample.path).findings.filter {
      $0.code == .unknownCompanion
    }
    #expect(verified == trip.exported.findings)
  }

  @Test func linksAndPipesAreNamedAndNotFollowed() throws {
    let sample = try mirroredSample()
    try write("secret", to: sample.folder.file("elsewhere/secret"))
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: sample.folder.file("Todo_ckAssets/link"),
      withDestinationPath: sample.folder.file("elsewhere/secret"))
    try manager.createSymbolicLink(
      atPath: sample.folder.file("Todo_ckAssetFiles"),
      withDestinationPath: sample.folder.file("elsewhere"))
    try write("no folder", to: sample.folder.file(".Todo_ckAssets"))
    #expect(unsafe mkfifo(sample.folder.file("Todo_ckAssets/pipe"), 0o600) == 0)
    let trip = try RoundTrip(of: sample.path)
    #expect(try entries(trip.archive) == ["beside/NAME_ckAssets/0F1E%2Efxd"])
    #expect(Set(trip.exported.findings.map(\.code)) == [.irregularExternalData])
    #expect(
      trip.exported.findings.map(\.detail) == [
        ".Todo_ckAssets: it is not a folder", "Todo_ckAssetFiles: it is a symbolic link",
        "Todo_ckAssets/link: it is a symbolic link", "Todo_ckAssets/pipe: it is not a regular file",
      ])
  }

  @Test func replacingAStoreReplacesItsFolders() throws {
    let sample = try mirroredSample()
    let trip = try RoundTrip(of: sample.path)
    try write("old", to: trip.folder.file("Copy_ckAssets/OLD.fxd"))
    try write("old", to: trip.folder.file(".Copy.sqlite_ckAssets/OLD"))
    try write("kept", to: trip.folder.file("Copy_photos/mine"))
    try StoreImporter(options: ImportOptions(overwriting: true)).import(trip.archive, to: trip.copy)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: trip.folder.path).sorted() == [
        ".Copy_SUPPORT", "Copy.sqlite", "Copy_ckAssets", "Copy_photos", "Store.coffer.tar.gz",
      ])
    #expect(try StoreComparer.differences(sample.path, trip.copy) == [])
    #expect(FileManager.default.fileExists(atPath: trip.folder.file("Copy_photos/mine")))
  }

  @Test func leftFilesAreInTheWayOfANewStore() throws {
    let sample = try mirroredSample()
    let trip = try RoundTrip(of: sample.path)
    try write("left", to: trip.folder.file("New_ckAssets/LEFT.fxd"))
    func code() -> String? {
      errorCode { try StoreImporter().import(trip.archive, to: trip.folder.file("New.sqlite")) }
    }
    #expect(code() == "output-exists")
    try write("SQLite format 3\0", to: trip.folder.file("New.store"))
    #expect(code() == "refused")
    try FileManager.default.removeItem(atPath: trip.folder.file("New.store"))
    try FileManager.default.removeItem(atPath: trip.folder.file("New_ckAssets/LEFT.fxd"))
    #expect(code() == nil)
  }

  @Test func filesOfMirroringGoWithItsTables() throws {
    let sample = try mirroredSample()
    let trip = try RoundTrip(of: sample.path, options: ImportOptions(cloudKit: .drop))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: trip.folder.path).sorted()
        == [".Copy_SUPPORT", "Copy.sqlite", "Store.coffer.tar.gz"])
    #expect(trip.imported.content.externalFileCount == 2)
  }

  @Test func inspectAndFindCountTheFiles() throws {
    let sample = try mirroredSample()
    let before = try StoreInspector().inspect(sample.path).externalData
    #expect(before.fileCount == 2)
    #expect(before.companionFileCount == 1 && before.companionByteCount == 5)
    let trip = try RoundTrip(of: sample.path)
    let archived = try StoreInspector().inspect(trip.archive).externalData
    #expect(archived.fileCount == 2)
    #expect(archived.companionFileCount == 1 && archived.companionByteCount == 5)
    let found = try findings(in: sample.folder.path)
    try FileManager.default.removeItem(atPath: sample.folder.file("Todo_ckAssets"))
    #expect(try findings(in: sample.folder.path) == found - 5)
  }

  private func findings(in folder: String) throws -> Int {
    var size = 0
    try StoreFinder().find(in: folder) { size += $0.byteCount }
    return size
  }

  @Test func changesTakeTheFilesAlong() throws {
    let sample = try mirroredSample()
    let (first, archive) = (sample.path, sample.folder.file("Todo.coffer.tar.gz"))
    try write("replaced", to: sample.folder.file("Todo_ckAssets/BOTH.fxd"))
    try StoreExporter().export(storeAt: first, to: archive)
    let second = sample.folder.file("Second.sqlite")
    try StoreImporter().import(archive, to: second)
    try write("by this", to: sample.folder.file("Second_ckAssets/BOTH.fxd"))
    try write("new", to: sample.folder.file("Second.sqlite_ckAssets/NEW.fxd"))
    try FileManager.default.removeItem(atPath: sample.folder.file("Second_ckAssets/0F1E.fxd"))
    var differences: [String] = []
    try StoreComparison().compare(first, second) {
      if case .externalData(let file) = $0 { differences.append("\(file.kind) \(file.name)") }
    }
    #expect(
      differences == [
        "added ../FILE_ckAssets/NEW.fxd", "removed ../NAME_ckAssets/0F1E.fxd",
        "changed ../NAME_ckAssets/BOTH.fxd",
      ])
    let changes = sample.folder.file("A.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(from: first, to: second, at: .file(changes))
    let undo = sample.folder.file("B.coffer-changes.tar.gz")
    var options = ApplyOptions()
    options.editing.undo = .file(undo)
    try ChangesApplier(options: options).apply(changes, to: first)
    #expect(try StoreComparer.differences(first, second) == [])
    #expect(
      try String(
        contentsOfFile: sample.folder.file("Todo.sqlite_ckAssets/NEW.fxd"), encoding: .utf8)
        == "new")
    try ChangesApplier().apply(undo, to: first)
    #expect(try StoreComparison().compare(first, archive) { _ in }.isEqual)
    // A changed copy elsewhere has the files that no change names.
    let copy = sample.folder.file("Third.store")
    try ChangesApplier().apply(changes, to: first, at: copy)
    #expect(try StoreComparison().compare(copy, second) { _ in }.isEqual)
  }
}
