internal import CoreDataModel
internal import POSIX

/// The hidden folder beside a target in which an import builds a store, and its content.
///
/// | name | what it is |
/// | --- | --- |
/// | `new/` | the new store, its companions and its support folder, under their names |
/// | `dropped/` | links to the external files that only the old store has |
/// | `old/` | the old store, its companions and its support folder, where they had to be moved |
/// | `record` | what a commit is about to do, see ``PlacementRecord`` |
struct PlacementFolder: Sendable {
  /// The path of the folder.
  let path: String
  /// The store that is to appear.
  let target: StorePaths

  /// The beginning of the names of such folders; the name of the store, a hyphen and 8 hexadecimal
  /// digits follow.
  static let prefix = StoreFiles.buildPrefix

  /// The beginning of the names of the folders of one target.
  static func prefix(of target: StorePaths) -> String { "\(prefix)\(target.name)-" }

  /// The new store.
  var new: StorePaths { StorePaths(store: "\(path)/new/\(target.name)") }
  /// The old store, if it is moved aside.
  var old: StorePaths { StorePaths(store: "\(path)/old/\(target.name)") }
  /// The links to the old store's files that the new one lacks.
  var dropped: String { "\(path)/dropped" }
  /// The file that says what a commit is about to do.
  var record: String { "\(path)/record" }

  /// Whether anything of the old store is in the folder.
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
