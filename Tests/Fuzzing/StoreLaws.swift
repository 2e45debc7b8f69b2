internal import CofferKit
internal import CoreDataStore
internal import Foundation

/// What must hold for every file that is read as a store.
package enum StoreLaws {
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

  /// Exports a file normally and as a salvage, and imports each resulting archive.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: where the archive and the restored store go.
  /// - Throws: ``BrokenLaw`` where an archive cannot be restored.
  package static func holdImportable(_ path: String, in folder: String) throws {
    for salvages in [false, true] {
      let (archive, copy) = (folder + "/exported", folder + "/Imported.sqlite")
      for name in [archive, copy, folder + "/.Imported_SUPPORT"] {
        try? FileManager.default.removeItem(atPath: name)
      }
      let summary: ExportSummary
      do {
        summary = try StoreExporter(
          options: ExportOptions(level: 0, threads: 0, salvages: salvages)
        ).export(
          try salvages ? PersistentStore(salvaging: path) : PersistentStore(readingFrom: path),
          to: archive)
      } catch is CofferError { continue }
      // An app's own statements are reported, and restored on request.
      var options = ImportOptions()
      options.trustsSchema = summary.findings.contains { $0.code == .unusualSchema }
      do {
        try StoreImporter(options: options).import(archive, to: copy)
      } catch {
        throw BrokenLaw("\(salvages ? "salvaged" : "exported"), not imported: \(error)")
      }
    }
  }
}
