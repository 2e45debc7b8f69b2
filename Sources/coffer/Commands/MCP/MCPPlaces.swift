internal import CoreDataModel
internal import Foundation
internal import POSIX

/// The files that a server may read: all files in some folders and their subfolders.
struct MCPPlaces {
  /// The folders, without symbolic links.
  let folders: [String]

  /// Resolves the folders; throws `not-found` for a folder that does not exist.
  init(_ folders: [String]) throws(CofferError) {
    var found: [String] = []
    for folder in folders {
      var isFolder: ObjCBool = false
      let isThere = unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
      guard isThere, isFolder.boolValue, let path = Self.resolved(folder) else {
        throw CofferError(
          .notFound, path: folder,
          detail: isThere ? "it is not a folder" : "there is no such folder")
      }
      found.append(path)
    }
    self.folders = found
  }

  /// The path of a file without symbolic links.
  ///
  /// - Throws: ``CofferError`` with `not-found` for a file that does not exist, or that is not below one of
  ///   the folders, wherever a link to it is.
  func path(_ text: String) throws(CofferError) -> String {
    if let path = known(text) { return path }
    // A vault is a file as well, so that a path with such a letter is no reference.
    for mark in text.indices.reversed() where text[mark] == "#" || text[mark] == "@" {
      if let vault = known(String(text[..<mark])) { return vault + text[mark...] }
    }
    throw CofferError(
      .notFound, path: text,
      detail: "there is no such file below the folders that this server may read",
      advice: "list_stores names the files.")
  }

  private func known(_ text: String) -> String? {
    let candidates = text.hasPrefix("/") ? [text] : folders.map { "\($0)/\(text)" }
    for candidate in candidates {
      guard let path = Self.resolved(candidate) else { continue }
      let isBelow = folders.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : "\($0)/") }
      if isBelow { return path }
    }
    return nil
  }

  private static func resolved(_ path: String) -> String? {
    // A path ends at a zero byte for the system.
    path.utf8.contains(0) ? nil : try? FileNames.resolve(path)
  }
}
