internal import Foundation

/// The files that make up a store: the main file, its companions and its external files.
package struct StoreFiles: Sendable {
  /// The path of the main file.
  package let path: String

  /// The possible files of the store at a path.
  package init(_ path: String) { self.path = path }

  private var url: URL { URL(fileURLWithPath: path) }

  /// The folder `.NAME_SUPPORT`, named after the store without its extension (store-format,
  /// section 6).
  package var supportFolder: String {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
  }

  /// The folder that holds the external binary data.
  package var externalDataFolder: String { supportFolder + "/_EXTERNAL_DATA" }

  /// The folder in which CloudKit mirroring keeps files of its own (store-format, section 6).
  package var assetFolder: String { companionFolder("_ckAssets") }

  private func companionFolder(_ ending: String) -> String {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(name + ending).path
  }

  /// The names of the external files, sorted; empty when there is no folder.
  package var externalFileNames: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: externalDataFolder)) ?? []).sorted()
  }

  /// Copies the existing files of the store, except the `-shm`, and returns the path of the copy.
  package func copy(to destination: String) throws -> String {
    let files = FileManager.default
    for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: path + suffix) {
      try files.copyItem(atPath: path + suffix, toPath: destination + suffix)
    }
    let support = StoreFiles(destination).supportFolder
    if files.fileExists(atPath: supportFolder) {
      try files.copyItem(atPath: supportFolder, toPath: support)
    }
    return destination
  }

  /// Removes all existing files of the store.
  package func remove() throws {
    let files = FileManager.default
    let all = ["", "-wal", "-shm", "-journal"].map { path + $0 } + [supportFolder]
    for path in all where files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
  }
}
