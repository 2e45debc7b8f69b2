internal import CoreDataModel
internal import POSIX

/// A private folder for the copy of a store, which is removed with its content when the last
/// reference is gone.
///
/// Its name begins with `coffer-snapshot-`, so that a leftover of a crash is recognizable. It is
/// locked as long as its process lives; creating the next one removes those without an owner.
package final class TemporaryFolder: Sendable {
  var path: String { folder.path }
  /// The files of the copy.
  package let store: DatabaseFiles
  private let folder: OwnedFolder

  /// The beginning of the names of such folders.
  static let prefix = "coffer-snapshot-"

  /// Makes a folder that only this user can enter; throws `cannot-copy` when no folder can be made.
  init(in parent: String?, place: String) throws(CofferError) {
    let parent = parent ?? FileNames.temporaryFolder
    Leftovers.removeFolders(in: parent, prefix: Self.prefix)
    do {
      folder = try OwnedFolder(in: parent, prefix: Self.prefix)
    } catch {
      throw Self.cannotCopy(error.text, to: parent, place: place)
    }
    store = DatabaseFiles(main: folder.path + "/store.sqlite")
  }

  deinit {
    for file in [store.main, store.wal, store.sharedMemory, store.journal] {
      unsafe unlink(file)
    }
    unsafe rmdir(folder.path)
  }

  /// The error for a copy that could not be made.
  static func cannotCopy(_ cause: String, to folder: String, place: String) -> CofferError {
    CofferError(
      .cannotCopy, path: place, detail: "\(folder): \(cause)",
      advice: SystemAdvice.forTooFewFiles
        ?? "Free some space there, or set TMPDIR to another folder.")
  }
}
