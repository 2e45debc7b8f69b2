internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator

extension FuzzTarget {
  /// Everything that a command does with an archive.
  static let importing = FuzzTarget(
    "import", "verify, inspect and import of an archive; a refused one leaves nothing behind",
    maximumSize: 1 << 18, words: jsonWords,
    seeds: { try [FuzzSamples.smallArchive.get(), FuzzSamples.sampleArchive.get()] },
    change: { try ArchiveMutation.changeEntries(&$0, fitting: 0.95, &$1) }
  ) { input in
    let folder = try FuzzFolder.current().empty("import")
    let (archive, store) = (folder + "/a.coffer.tar.gz", folder + "/Store.sqlite")
    try Data(input).write(to: URL(fileURLWithPath: archive))
    try refusedOrDone { try Verifier().verify(archive) { _ in } }
    try refusedOrDone { _ = try StoreInspector().inspect(archive) }
    do {
      try StoreImporter().import(archive, to: store)
    } catch {
      let names = try FuzzFolder.current().names(in: folder)
      try hold(names == ["a.coffer.tar.gz"], "a refused import left files: \(names)")
      throw error
    }
    let names = try FuzzFolder.current().names(in: folder)
    try hold(
      Set(names).isSubset(of: ["a.coffer.tar.gz", "Store.sqlite", ".Store_SUPPORT"]),
      "an import left other files: \(names)")
    try StoreLaws.hold(for: store, in: folder)
  }

  /// Everything that a command does with a store.
  static let store = FuzzTarget(
    "store", "verify, inspect and export of a store; the store stays as it is",
    maximumSize: 1 << 19, words: ["CREATE TABLE ", "CREATE TRIGGER ", "Z_PK", "ZAUTHOR", "rtree"],
    seeds: { try [FuzzSamples.smallStore.get(), FuzzSamples.sampleStore.get()] },
    change: { try StoreMutation.apply(to: &$0, &$1) }
  ) { input in
    let folder = try FuzzFolder.current().empty("store")
    let path = folder + "/Store.sqlite"
    try Data(input).write(to: URL(fileURLWithPath: path))
    try StoreLaws.hold(for: path, in: folder)
    try hold(
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == input, "the store was changed")
  }

  /// Does something that may be refused with a code.
  static func refusedOrDone(_ body: () throws -> Void) throws {
    do { try body() } catch is CofferError {}
  }
}
