internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Edits on both sides of copies of real stores, merged and compared with SQL alone.
@Suite struct MergeRealStoreTests {
  @Test(arguments: RealStores.any) func aMergeHasWhatEitherSideDid(_ store: RealStore) throws {
    let directory = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: directory)
    let edits = try RealStoreEdits(path)
    guard !edits.isEmpty else { return }
    let tables = edits.tables
    let mine = try edits.edited(path, as: directory.file("Mine.sqlite"), .even)
    let theirs = try edits.edited(path, as: directory.file("Theirs.sqlite"), .odd)
    let (ours, others) = (try StoreContent(mine, tables), try StoreContent(theirs, tables))
    let expected = StoreContent.merged(
      others, into: ours, base: edits.base, tables, prefersOther: true)
    var options = MergeOptions()
    options.editing.allowsMirrored = true
    if expected.conflictCount > 0 {
      let error = #expect(throws: CofferError.self) {
        try StoreMerger(options: options).merge(theirs, into: mine, base: path)
      }
      #expect(error?.mergeConflicts.count == expected.conflictCount)
    }
    let one = directory.file("One.sqlite")
    options.policy = .mergeByPropertyObjectTrump
    let summary = try StoreMerger(options: options).merge(theirs, into: mine, base: path, at: one)
    #expect(summary.conflicts.count == expected.conflictCount)
    #expect(!summary.differences.isEqual)
    #expect(
      summary.findings.filter { $0.code.check == .history || $0.code.check == .versions } == [])
    #expect(try StoreContent(one, tables).differences(from: expected.content, tables) == [])
    // The other way round, with the other policy, the same.
    let back = StoreContent.merged(
      ours, into: others, base: edits.base, tables, prefersOther: false)
    let other = directory.file("Other.sqlite")
    options.policy = .mergeByPropertyStoreTrump
    try StoreMerger(options: options).merge(mine, into: theirs, base: path, at: other)
    #expect(try StoreContent(other, tables).differences(from: back.content, tables) == [])
    // It is as good a store as any other.
    let archive = directory.file("One.coffer.tar.gz")
    try StoreExporter().export(storeAt: one, to: archive)
    let restored = directory.file("Restored.sqlite")
    try StoreImporter().import(archive, to: restored)
    #expect(try StoreComparer.differences(one, restored) == [])
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func theEditsAreOfEveryKind() throws {
    var counts = [0, 0, 0, 0, 0]
    for name in ["SampleModel_V1.sqlite", "XCServerCoreData_1.2.0.sqlite", "Bookmarks_V5.sqlite"] {
      let directory = try TemporaryDirectory()
      let store = try #require(RealStores.named(name))
      let edits = try RealStoreEdits(RealStores.copy(store, to: directory))
      counts = zip(counts, edits.counts).map { $0 + $1 }
    }
    #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
  }
}
