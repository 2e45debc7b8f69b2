internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Merges the external files of a new store with an old store's files in the same folders: the
/// support folder and the companion folders.
///
/// Files are named by UUIDs and never rewritten, so two stores can share a folder for a moment:
/// each finds all of its files. Paths are from the folder of the store; both stores have the same name.
struct SupportFolderMerge {
  /// The folders that the new store needs, parents before their subfolders.
  private(set) var folders: [String] = []
  /// The new store's files that do not exist yet.
  private(set) var added: [String] = []
  /// The files that the new store lacks; folders before their content.
  private(set) var dropped: [(path: String, isFolder: Bool)] = []

  /// Compares the folders of two stores; a missing folder is empty.
  ///
  /// It is nil if the two cannot share a folder: a link is in its place, or another file has the
  /// same name.
  ///
  /// Equal files were compared before, see ``equalFiles(new:old:)``. Removed ones are the old files that the
  /// new store does not take over.
  ///
  /// - Throws: `write-failed` where a folder cannot be listed.
  init?(
    new: StorePaths, old: StorePaths, equal: [Name: FileState] = [:],
    removed: Set<Name>? = nil
  ) throws(CofferError) {
    let newEntries = try Self.entries(new)
    let oldEntries = try Self.entries(old)
    let isFolder = { (entry: (path: String, identity: FileState)) in
      entry.identity.kind == .folder || entry.path.utf8.contains(UInt8(ascii: "/"))
    }
    guard newEntries.allSatisfy(isFolder), oldEntries.allSatisfy(isFolder) else { return nil }
    // Names that are no UTF-8 may look the same.
    let present = Dictionary(oldEntries.map { (Name($0.path), $0.identity) }) { first, _ in
      first
    }
    for entry in newEntries {
      let other = present[Name(entry.path)]
      if entry.identity.kind == .folder {
        guard other == nil || other?.kind == .folder else { return nil }
        folders.append(entry.path)
      } else if let other {
        guard other.kind == .file, other.size == entry.identity.size,
          other.isSameFile(as: equal[Name(entry.path)])
            || Self.isEqual(entry.path, new.folder, old.folder)
        else { return nil }
      } else {
        added.append(entry.path)
      }
    }
    let wanted = newEntries.map(\.path).names
    dropped = oldEntries.filter { entry in
      guard !wanted.contains(Name(entry.path)) else { return false }
      return removed.map { entry.identity.kind != .folder && $0.contains(Name(entry.path)) } ?? true
    }.map { ($0.path, $0.identity.kind == .folder) }
  }

  /// Compares files of the same name and size in advance, which may take a while, so that others
  /// are locked out only briefly.
  ///
  /// - Returns: the files of the old store that have the same bytes, by their paths.
  static func equalFiles(new: StorePaths, old: StorePaths) -> [Name: FileState] {
    var equal: [Name: FileState] = [:]
    for (path, identity) in (try? entries(new)) ?? [] where identity.kind == .file {
      guard let other = FileState(named: "\(old.folder)/\(path)"), other.kind == .file,
        other.size == identity.size,
        other.isSameFile(as: identity) || isEqual(path, new.folder, old.folder)
      else { continue }
      equal[Name(path)] = other
    }
    return equal
  }

  private static func isEqual(_ path: String, _ new: String, _ old: String) -> Bool {
    FileManager.default.contentsEqual(atPath: "\(new)/\(path)", andPath: "\(old)/\(path)")
  }

  /// Whether a folder exists that contains only folders.
  static func isEmpty(_ folder: String) -> Bool {
    guard FileState(named: folder)?.kind == .folder,
      let entries = try? FileTree.entries(below: folder)
    else { return false }
    return entries.allSatisfy { $0.identity.kind == .folder }
  }

  static func folderNames(_ store: StorePaths) throws(CofferError) -> [String] {
    try FileSync.at(store.folder) { () throws(SystemError) in try store.folderNames() }
  }

  /// The folders of a store and everything in them, each folder before its content.
  ///
  /// A link to a folder is listed as a link, followed by the content of that folder.
  static func entries(
    _ store: StorePaths
  ) throws(CofferError) -> [(path: String, identity: FileState)] {
    var entries: [(path: String, identity: FileState)] = []
    for name in try folderNames(store) {
      let path = StorePaths.join(store.folder, name)
      guard let identity = try FileSync.look(at: path) else { continue }
      entries.append((name, identity))
      // A folder that cannot be examined is an error, not a file.
      let isLink = identity.kind == .link && FileSync.isFolder(path)
      guard isLink || identity.kind == .folder else { continue }
      let below = isLink ? path + "/" : path
      for entry in try FileSync.entries(below: below) {
        entries.append(("\(name)/\(entry.path)", entry.identity))
      }
    }
    return entries
  }

  /// Removes the files of new folders that are hard links to files of the old ones, so that undoing
  /// the additions does not remove them.
  ///
  /// - Returns: the old files that the new folders did not have; nil if the two share no file.
  /// - Throws: `write-failed` where a folder cannot be listed or a file not be removed.
  static func removeSharedFiles(
    new: StorePaths, old: StorePaths, _ files: PlacementFiles
  ) throws(CofferError) -> Set<Name>? {
    let newEntries = try entries(new)
    let identities = Dictionary(newEntries.map { (Name($0.path), $0.identity) }) {
      first, _ in first
    }
    var removed: Set<Name> = []
    var sharesFiles = false
    for (path, identity) in try entries(old) where identity.kind != .folder {
      if let other = identities[Name(path)], other.isSameFile(as: identity) {
        try files.remove(StorePaths.join(new.folder, path))
        sharesFiles = true
      } else if identities[Name(path)] == nil {
        removed.insert(Name(path))
      }
    }
    return sharesFiles ? removed : nil
  }
}
