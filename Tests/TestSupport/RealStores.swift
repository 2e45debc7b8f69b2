internal import Foundation

/// The real stores, in the folder that the environment variable `COFFER_REAL_STORES` names.
///
/// Tests of what holds for every store take ``any``; those that need certain ones are to be skipped
/// without: `.enabled(if: RealStores.isAvailable, "needs the real stores")`. The stores are not to be
/// changed in any way, and opening one could: work on a ``copy(_:to:)``.
package enum RealStores {
  /// The number of stores that the folder is known to hold.
  package static let expectedCount = 72

  /// The folder of the stores, or nil.
  package static let folder = ProcessInfo.processInfo.environment["COFFER_REAL_STORES"]

  /// All of the stores, sorted by name; empty when there is no folder.
  package static let all: [RealStore] = find()

  /// The real stores or, where there are none, generated ones: with a write-ahead log, with changes in
  /// it, with a rollback journal, and with many objects and external files.
  package static let any: [RealStore] = isAvailable ? all : generated

  /// The folder in which ``any`` is, with nothing else that is a store.
  package static var anyFolder: String? { isAvailable ? folder : generatedFolder?.path }

  private static let generatedFolder = try? TemporaryDirectory.untilExit()

  private static let generated: [RealStore] = {
    guard let folder = generatedFolder else { return [] }
    do {
      try SampleStore.write(to: folder.file("Sample.sqlite"))
      try SampleStore.write(to: folder.file("Rollback.sqlite"), journal: .delete)
      let origin = try TemporaryDirectory()
      try SampleStore.write(to: origin.file("Live.sqlite"))
      try OpenStores.copyWithLog(
        of: origin.file("Live.sqlite"), to: folder.file("Live.sqlite"),
        changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_SUPER = 0")
      var options = GeneratorOptions()
      options.objectCount = 500
      options.externalCount = 5
      try StoreMaker.write(to: folder.file("Many.sqlite"), options)
    } catch {
      preconditionFailure("no store can be generated: \(error)")
    }
    return ["Live", "Many", "Rollback", "Sample"].map {
      RealStore(name: "\($0).sqlite", path: folder.file("\($0).sqlite"))
    }
  }()

  /// Whether there are stores.
  package static var isAvailable: Bool { !all.isEmpty }

  /// The first store whose name ends so, or nil.
  package static func named(_ ending: String) -> RealStore? {
    all.first { $0.name.hasSuffix(ending) }
  }

  /// Copies a store into a folder, with its companions and its external files, and returns the
  /// path of the copy.
  ///
  /// The `-wal` and the folder of external files are copied, and a `-journal`; never the `-shm`,
  /// which SQLite recreates.
  package static func copy(_ store: RealStore, to directory: TemporaryDirectory) throws -> String {
    try StoreFiles(store.path).copy(to: directory.file(store.fileName))
  }

  private static func find() -> [RealStore] {
    guard let folder, let names = FileManager.default.subpaths(atPath: folder) else { return [] }
    return names.filter { !isCompanion($0) && isDatabase("\(folder)/\($0)") }.sorted()
      .map { RealStore(name: $0, path: "\(folder)/\($0)") }
  }

  private static func isCompanion(_ name: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }

  private static func isDatabase(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }
}
