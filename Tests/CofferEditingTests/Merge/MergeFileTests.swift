internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// External files that keep their names while their bytes change.
@Suite struct MergeFileTests {
  private let samples: SampleSources

  private static let file = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"

  init() throws { samples = try SampleSources() }

  private func url(_ store: String) -> URL {
    URL(fileURLWithPath: "\(StoreFiles(store).externalDataFolder)/\(Self.file)")
  }

  private func bytes(_ store: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url(store)))
  }

  /// A copy of the sample store with these bytes in its file.
  private func copy(_ name: String, _ bytes: [UInt8]?) throws -> String {
    let path = try samples.copy(named: name)
    if let bytes { try Data(bytes).write(to: url(path)) }
    return path
  }

  private func merge(
    _ other: String, into store: String, base: String?, _ policy: MergePolicy = .error
  ) throws -> (summary: MergeSummary, path: String) {
    var options = MergeOptions()
    options.policy = policy
    let path = samples.directory.file("Merged-\(UUID().uuidString).sqlite")
    let summary = try StoreMerger(options: options).merge(other, into: store, base: base, at: path)
    return (summary, path)
  }

  @Test func theBytesThatOnlyTheOtherStoreChangedAreTaken() throws {
    let other = try copy("Other", [1, 2, 3])
    let store = try samples.copy(
      named: "Store", changing: ["UPDATE ZTAGENTITY SET ZNAME = 'mine' WHERE Z_PK = 1"])
    let changes = samples.directory.file("Day.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(from: samples.sample, to: other, at: .file(changes))
    let archive = try samples.archive(of: samples.sample)
    for (source, base) in [
      (other, samples.sample), (other, archive), (changes, archive), (other, changes),
    ] {
      let merged = try merge(source, into: store, base: base)
      #expect(try bytes(merged.path) == [1, 2, 3])
      #expect(merged.summary.differences.externalData.changed == 1)
    }
    let undo = samples.directory.file("Undo")
    var merger = StoreMerger()
    merger.options.editing.undo = .file(undo, overwriting: false)
    let before = try copy("Before", nil)
    try StoreFiles(before).remove()
    _ = try StoreFiles(store).copy(to: before)
    #expect(try merger.merge(changes, into: store).conflicts.count == 0)
    #expect(try bytes(store) == [1, 2, 3])
    try ChangesApplier().apply(undo, to: store)
    #expect(try StoreComparer.differences(before, store) == [])
  }

  @Test func theBytesThatTheStoreChangedStay() throws {
    let store = try copy("Store", [4])
    let other = try copy("Other", nil)
    #expect(try merge(other, into: store, base: samples.sample).summary.differences.isEqual)
    let same = try copy("Same", [4])
    #expect(try merge(same, into: store, base: samples.sample).summary.differences.isEqual)
  }

  @Test func differentBytesInBothStoresAreAConflict() throws {
    let (store, other) = (try copy("Store", [4]), try copy("Other", [5]))
    let error = #expect(throws: CofferError.self) {
      try merge(other, into: store, base: samples.sample)
    }
    #expect(
      error?.mergeConflicts.list.map(\.description) == [
        "AttachmentEntity/p4.content: the stores have different values"
      ])
    for (policy, expected) in [
      (MergePolicy.mergeByPropertyStoreTrump, [4]), (.mergeByPropertyObjectTrump, [5]),
      (.overwrite, [5]), (.rollback, [4]),
    ] as [(MergePolicy, [UInt8])] {
      let merged = try merge(other, into: store, base: samples.sample, policy)
      #expect(try bytes(merged.path) == expected)
      #expect(merged.summary.conflicts.count == 1)
    }
  }

  @Test func anObjectWhoseFileChangedIsUsed() throws {
    let other = try copy("Other", [5])
    let store = try samples.copy(
      named: "Store", changing: ["DELETE FROM ZATTACHMENTENTITY WHERE Z_PK = 4"]
    ) { try FileManager.default.removeItem(atPath: "\($0.externalDataFolder)/\(Self.file)") }
    let error = #expect(throws: CofferError.self) {
      try merge(other, into: store, base: samples.sample)
    }
    #expect(error?.mergeConflicts.list.map(\.kind) == [.deletedHere])
    let merged = try merge(other, into: store, base: samples.sample, .mergeByPropertyObjectTrump)
    #expect(try bytes(merged.path) == [5])
  }
}
