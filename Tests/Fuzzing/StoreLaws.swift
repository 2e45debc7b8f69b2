internal import CofferKit
internal import CoreDataStore
internal import Foundation

/// What must hold for every file that is read as a store.
enum StoreLaws {
  /// Verifies, inspects and exports a file.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: where it is, and where the archive goes.
  /// - Throws: ``BrokenLaw``; the error of the export where the store is refused.
  static func hold(for path: String, in folder: String) throws {
    let before = try FuzzFolder.current().names(in: folder)
    let archive = folder + "/exported"
    try? FileManager.default.removeItem(atPath: archive)
    try FuzzTarget.refusedOrDone { try Verifier().verify(path) { _ in } }
    try FuzzTarget.refusedOrDone { _ = try StoreInspector().inspect(path) }
    do {
      let options = ExportOptions(level: 0, threads: 0)
      try StoreExporter(options: options).export(
        try PersistentStore(readingFrom: path), to: archive)
    } catch {
      try Fuzzing.hold(
        try FuzzFolder.current().names(in: folder) == before, "a refused export left files")
      throw error
    }
    try ArchiveLaws.hold(for: archive)
    try Fuzzing.hold(
      try FuzzFolder.current().names(in: folder) == (before + ["exported"]).sorted(),
      "an export left other files")
  }
}
