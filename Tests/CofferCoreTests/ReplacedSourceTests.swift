internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The replacement of a source while it is read is noticed, because external files could belong to the
/// other store.
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
    let error = #expect(throws: CofferError.self) { try StoreExporter().export(store, to: archive) }
    #expect(error?.code == .storeBusy)
    #expect(error?.hint != nil)
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  @Test(arguments: Change.allCases)
  func aVerificationEndsWithAnError(_ change: Change) throws {
    let folder = try makeStore()
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"))
    try change.make(in: folder)
    let error = #expect(throws: CofferError.self) { try Verifier().verify(store) { _ in } }
    #expect(error?.code == .storeBusy)
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

  // MARK: A store at rest that is read where it is

  /// A store in WAL mode that no one has open, and the effect of a writer on it.
  private func makeStoreAtRest() throws -> (TemporaryDirectory, change: () throws -> Void) {
    let folder = try makeStore()
    let path = folder.file("Todo.sqlite")
    func write(_ statements: String) throws {
      try GeneratorDatabase(path: path).run(statements)
    }
    try write("PRAGMA journal_mode = wal; PRAGMA user_version = 1")
    return (
      folder, { try write("PRAGMA user_version = 2; PRAGMA wal_checkpoint(passive)") }
    )
  }

  @Test func anExportOfAStoreThatIsWrittenHoldsWhatWasWritten() throws {
    let (folder, change) = try makeStoreAtRest()
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"), access: .inPlace)
    try change()
    try StoreExporter().export(store, to: folder.file("a"))
    #expect(try StoreInspector().inspect(folder.file("a")).settings.userVersion == 2)
  }

  /// What it would find may be of two moments.
  @Test func aVerificationOfAStoreThatIsWrittenFindsNothing() throws {
    let (folder, change) = try makeStoreAtRest()
    try Damage.danglingToOne.apply(to: folder.file("Todo.sqlite"))
    let store = try PersistentStore(readingFrom: folder.file("Todo.sqlite"), access: .inPlace)
    try change()
    var findings: [Finding] = []
    let error = #expect(throws: CofferError.self) {
      try Verifier().verify(store) { findings.append($0) }
    }
    #expect(error?.code == .storeBusy)
    #expect(findings.isEmpty)
  }

  @Test func aComparisonWithAStoreThatIsWrittenTellsNothing() throws {
    let (folder, change) = try makeStoreAtRest()
    let other = try makeStore()
    try Damage.danglingToOne.apply(to: other.file("Todo.sqlite"))
    var count = 0
    let comparison = StoreComparison(options: ComparisonOptions(environment: .inPlace))
    let error = #expect(throws: CofferError.self) {
      try comparison.compare(folder.file("Todo.sqlite"), other.file("Todo.sqlite")) { _ in
        count += 1
        try change()
      }
    }
    #expect(error?.code == .storeBusy)
    #expect(count == 1)
  }
}
