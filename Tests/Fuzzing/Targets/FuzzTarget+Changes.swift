internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport

extension FuzzTarget {
  /// Everything that a command does with a file of changes.
  static let changes = FuzzTarget(
    "changes",
    "verify, reverse and apply of a file of changes; what is refused leaves the store as it was",
    maximumSize: 1 << 18,
    words: jsonWords + ["$change", "insert", "delete", "update", "before/", "after/"],
    seeds: { try [FuzzSamples.smallChanges.get().changes, FuzzSamples.manyChanges.get()] },
    change: { try ArchiveMutation.changeEntries(&$0, fitting: 0.95, &$1) }
  ) { input in
    let folder = try FuzzFolder.current().empty("changes")
    let (changes, store) = (folder + "/a.coffer-changes.tar.gz", folder + "/Store.sqlite")
    let (back, original) = (folder + "/back", folder + "/Original.sqlite")
    try Data(input).write(to: URL(fileURLWithPath: changes))
    for path in [store, original] {
      try Data(FuzzSamples.smallChanges.get().store).write(to: URL(fileURLWithPath: path))
    }
    let names = try FuzzFolder.current().names(in: folder)
    try refusedOrDone { try StoreChanges(changes).verify() }
    do {
      try ChangesApplier().apply(changes, to: store)
    } catch {
      try hold(
        try FuzzFolder.current().names(in: folder) == names, "refused changes left files")
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store)))
      try hold(bytes == FuzzSamples.smallChanges.get().store, "refused changes changed the store")
      throw error
    }
    try hold(
      Set(try FuzzFolder.current().names(in: folder)).subtracting(names)
        .isSubset(of: [".Store_SUPPORT", "Store.sqlite-wal", "Store.sqlite-shm"]),
      "changes left other files")
    // What is applied can be read and reversed, and is nothing when it is taken back.
    try StoreChanges(changes).reverse(to: .file(back))
    try ChangesApplier().apply(back, to: store)
    let differences = try StoreComparer.differences(original, store)
    try hold(differences.isEmpty, "taken back: \(differences)")
  }
}
