internal import CoreDataModel
internal import Foundation
internal import POSIX

/// How the external files of a new store come to those of an old one in the same folder.
///
/// Files are named by UUIDs and never rewritten, so two stores can share a folder for a moment:
/// each finds all of its own.
struct SupportFolderMerge {
  /// The folders that the new store needs, those above before those in them.
  private(set) var folders: [String] = []
  /// The new store's files that are not there yet.
  private(set) var added: [String] = []
  /// The files that the new store lacks; folders before their content.
  private(set) var dropped: [(path: String, isFolder: Bool)] = []

  /// Compares two folders; one that is not there is empty.
  ///
  /// It is nil if the two cannot share a folder: a link is in its place, or another file has the
  /// same name.
  ///
  /// - Parameters:
  ///   - new: the support folder of the new store.
  ///   - old: the existing support folder.
  ///   - equal: files whose bytes were compared before, see ``equalFiles(new:old:)``.
  ///   - removed: the old files that the new store does not take over; nil if the new folder has all
  ///     that the new store needs.
  /// - Throws: `write-failed` where a folder cannot be listed.
  init?(
    new: String, old: String, equal: [ExactString: FileIdentity] = [:],
    removed: Set<ExactString>? = nil
  ) throws(CofferError) {
    if let identity = try FileSync.look(at: old), identity.kind != .folder { return nil }
    let newEntries = try Self.entries(new)
    let oldEntries = try Self.entries(old)
    let present = Dictionary(
      uniqueKeysWithValues: oldEntries.map { (ExactString($0.path), $0.identity) })
    for entry in newEntries {
      let other = present[entry.path]
      if entry.identity.kind == .folder {
        guard other == nil || other?.kind == .folder else { return nil }
        folders.append(entry.path)
      } else if let other {
        guard other.kind == .file, other.size == entry.identity.size,
          other == equal[entry.path] || Self.isEqual(entry.path, new, old)
        else { return nil }
      } else {
        added.append(entry.path)
      }
    }
    let wanted = newEntries.map(\.path).exactStrings
    dropped = oldEntries.filter { entry in
      guard !wanted.contains(entry.path) else { return false }
      return removed.map { entry.identity.kind != .folder && $0.contains(entry.path) } ?? true
    }.map { ($0.path, $0.identity.kind == .folder) }
  }

  /// Compares files of the same name and size in advance, which may take a while, so that others
  /// are locked out only briefly.
  ///
  /// - Returns: the files of the old folder that have the same bytes, by their paths.
  static func equalFiles(new: String, old: String) -> [ExactString: FileIdentity] {
    var equal: [ExactString: FileIdentity] = [:]
    for (path, identity) in (try? entries(new)) ?? [] where identity.kind == .file {
      guard let other = FileIdentity(of: "\(old)/\(path)"), other.kind == .file,
        other.size == identity.size, other == identity || isEqual(path, new, old)
      else { continue }
      equal[path] = other
    }
    return equal
  }

  private static func isEqual(_ path: String, _ new: String, _ old: String) -> Bool {
    FileManager.default.contentsEqual(atPath: "\(new)/\(path)", andPath: "\(old)/\(path)")
  }

  /// Whether a folder exists that contains only folders.
  static func isEmpty(_ folder: String) -> Bool {
    guard FileIdentity(of: folder)?.kind == .folder,
      let entries = try? FileTree.entries(below: folder)
    else { return false }
    return entries.allSatisfy { $0.identity.kind == .folder }
  }

  /// What is in a support folder, or in the folder that a link leads to; nothing if it is not there.
  static func entries(
    _ folder: String
  ) throws(CofferError) -> [(path: String, identity: FileIdentity)] {
    guard let identity = try FileSync.look(at: folder) else { return [] }
    guard identity.kind == .link else { return try FileSync.entries(below: folder) }
    return FileSync.isFolder(folder) ? try FileSync.entries(below: folder + "/") : []
  }

  /// Removes the files of a new folder that are second names of files of the old one: whoever takes
  /// back what was added must not take them for added ones.
  ///
  /// - Returns: the old files that the new folder did not have; nil if the two share no file.
  /// - Throws: `write-failed` where a folder cannot be listed or a file not be removed.
  static func removeSharedFiles(
    new: String, old: String, _ files: PlacementFiles
  ) throws(CofferError) -> Set<ExactString>? {
    let newEntries = try entries(new)
    let identities = Dictionary(
      uniqueKeysWithValues: newEntries.map { (ExactString($0.path), $0.identity) })
    var removed: Set<ExactString> = []
    var sharesFiles = false
    for (path, identity) in try entries(old) where identity.kind != .folder {
      if let other = identities[path], other.isSameFile(as: identity) {
        try files.remove("\(new)/\(path)")
        sharesFiles = true
      } else if identities[path] == nil {
        removed.insert(ExactString(path))
      }
    }
    return sharesFiles ? removed : nil
  }
}
