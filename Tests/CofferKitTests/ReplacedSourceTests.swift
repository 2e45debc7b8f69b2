internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// A source that is replaced while it is being read is noticed: its external files could be those of
/// the other.
@Suite struct ReplacedSourceTests {
  /// What happens to a store that was opened.
  enum Change: CaseIterable {
    case storeReplaced, storeRemoved, folderReplaced, folderRemoved

    func make(in folder: TemporaryDirectory) throws {
      let files = FileManager.default
      let store = folder.file("Todo.sqlite")
      let support = folder.file(".Todo_SUPPORT")
      switch self {
      case .storeReplaced:
        let other = folder.file("Other.sqlite")
        try SampleStore.write(to: other)
        guard unsafe rename(other, store) == 0 else { throw CocoaError(.fileWriteUnknown) }
      case .storeRemoved: try files.removeItem(atPath: store)
      case .folderReplaced:
        let other = folder.file("other")
        try files.copyItem(atPath: support, toPath: other)
        try files.moveItem(atPath: support, toPath: folder.file("gone"))
        try files.moveItem(atPath: other, toPath: support)
      case .folderRemoved: try files.moveItem(atPath: support, toPath: folder.file("gone"))
      }
    }
  }

  private func makeStore() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try SampleStore.write(to: folder.file("Todo.sqlite"))
    return folder
  }

  @Test(arguments: Change.allCases, [StoreAccess.copy, .inPlace])
  func anExportEndsWithAnError(_ change: Change, _ access: StoreAccess) throws {
    let folder = try makeStore()
    let archive = folder.file("a")
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"), access: access)
    try change.make(in: folder)
    let error = #expect(throws: StoreError.self) { try StoreExporter().export(store, to: archive) }
    #expect(error?.code == .busy)
    #expect(error?.hint != nil)
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  @Test(arguments: Change.allCases)
  func aVerificationEndsWithAnError(_ change: Change) throws {
    let folder = try makeStore()
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"))
    try change.make(in: folder)
    let error = #expect(throws: StoreError.self) { try Verifier().verify(store) { _ in } }
    #expect(error?.code == .busy)
  }

  @Test func aSupportFolderThatAppearsIsTheAppsOwn() throws {
    let folder = try makeStore()
    let support = folder.file(".Todo_SUPPORT")
    let aside = folder.file("aside")
    try FileManager.default.moveItem(atPath: support, toPath: aside)
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"))
    try FileManager.default.moveItem(atPath: aside, toPath: support)
    try StoreExporter().export(store, to: folder.file("a"))
  }
}
