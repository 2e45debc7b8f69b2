internal import CoreDataModel
internal import Foundation
internal import POSIX

/// The plan of a commit: enough for the next run to undo or complete it, wherever it was killed.
///
/// It is on the disk before anything at the target changes. The files themselves show which steps
/// were done, since they keep their numbers when they are moved and linked.
struct PlacementRecord: Equatable {
  /// How the new store takes its place.
  enum Way: String {
    /// Its external files are added to the existing ones, then a single rename decides.
    case add
    /// Everything at the target is moved to the hidden folder first.
    case exchange
  }

  /// How the new store takes its place.
  var way: Way
  /// The inode number of the replaced store; nil if there is none.
  var oldStore: UInt64?
  var newStore: UInt64
  /// The inode numbers of the new support folder and companion folders, in ascending order.
  var newFolders: [UInt64]

  private static let title = "coffer import"

  /// Records the state before a commit.
  ///
  /// - Throws: `write-failed` if the new store does not exist, or the state is unknown.
  init(_ way: Way, _ folder: PlacementFolder) throws(CofferError) {
    guard let new = try FileSync.look(at: folder.new.store) else {
      throw CofferError(
        .writeFailed, path: folder.target.store, detail: "the new store has disappeared",
        advice: "Its hidden folder was removed while the store was being written. Try again.")
    }
    self.way = way
    oldStore = try FileSync.look(at: folder.target.store)?.inode
    newStore = new.inode
    var inodes: [UInt64] = []
    for name in try SupportFolderMerge.folderNames(folder.new) {
      if let identity = try FileSync.look(at: "\(folder.new.folder)/\(name)") {
        inodes.append(identity.inode)
      }
    }
    newFolders = inodes.sorted()
  }

  var text: String {
    """
    \(Self.title)
    An import was replacing a store. If coffer is not running, it was killed: the next import to the
    same path restores the old store or completes the new one. Until then, keep this folder: "old" may
    contain the only copy.
    way \(way.rawValue)
    old-store \(oldStore.map(String.init) ?? "none")
    new-store \(newStore)
    new-folders \(newFolders.isEmpty ? "none" : newFolders.map(String.init).joined(separator: ","))
    end

    """
  }

  /// Reads a record; nil if it is incomplete, or not a record.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.first.map(String.init) == Self.title, lines.last == "end" else { return nil }
    var values: [Substring: Substring] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      if words.count == 2 { values[words[0]] = words[1] }
    }
    guard let way = values["way"].flatMap({ Way(rawValue: String($0)) }),
      let newStore = values["new-store"].flatMap({ UInt64($0) }),
      let oldStore = values["old-store"], let folders = values["new-folders"],
      oldStore == "none" || UInt64(oldStore) != nil
    else { return nil }
    let numbers = folders == "none" ? [] : folders.split(separator: ",")
    newFolders = numbers.compactMap { UInt64($0) }
    guard newFolders.count == numbers.count else { return nil }
    self.way = way
    self.newStore = newStore
    self.oldStore = UInt64(oldStore)
  }

  /// Reads the record of a folder; nil if there is none, or it is incomplete.
  init?(of folder: PlacementFolder) {
    guard FileState(named: folder.record)?.kind == .file,
      let bytes = FileManager.default.contents(atPath: folder.record)
    else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}

/// The hidden folder next to a target where an import builds a store, and its content.
///
/// | name | content |
/// | --- | --- |
/// | `new/` | the new store, its companions and its support folder, under their names |
/// | `dropped/` | links to the external files that only the old store has |
/// | `old/` | the old store, its companions and its support folder, if they had to be moved |
/// | `record` | the planned steps of a commit, see ``PlacementRecord`` |
struct PlacementFolder: Sendable {
  let path: String
  let target: StorePaths

  /// The beginning of the names of such folders; the name of the store, a hyphen and 8 hexadecimal
  /// digits follow.
  static let prefix = DatabaseFiles.buildPrefix

  static func prefix(of target: StorePaths) -> String { "\(prefix)\(target.name)-" }

  var new: StorePaths { StorePaths(store: "\(path)/new/\(target.name)") }
  /// The old store, if it is moved away.
  var old: StorePaths { StorePaths(store: "\(path)/old/\(target.name)") }
  /// The links to the old store's files that the new one lacks.
  var dropped: String { "\(path)/dropped" }
  /// The file with the planned steps of a commit.
  var record: String { "\(path)/record" }

  var holdsOldStore: Bool {
    do throws(CofferError) {
      if try FileSync.look(at: old.folder) == nil { return false }
    } catch {
      // It may hold the only copy.
      return true
    }
    return (try? FileTree.names(in: old.folder))?.isEmpty != true
  }
}
