/// The leftovers of killed processes: temporary files and folders that no process locks any more.
///
/// Only regular files and folders with our names that belong to this user are considered. Nothing
/// here is an error: leftovers that cannot be removed stay.
package enum Leftovers {
  /// Removes files without an owner, before others like them are made.
  ///
  /// - Parameters:
  ///   - folder: the folder to search.
  ///   - prefix: the beginning of our names, see ``OwnedName``.
  package static func removeFiles(in folder: String, prefix: String) {
    LeftoverPlaces.add(.init(kind: .files, folder: folder, name: prefix))
    claim(in: folder, .file, prefix: prefix) { path, _ in unsafe unlink(path) }
  }

  /// Removes folders without an owner, with everything in them, before others like them are made.
  ///
  /// - Parameters:
  ///   - folder: the folder to search.
  ///   - prefix: the beginning of our names, see ``OwnedName``.
  package static func removeFolders(in folder: String, prefix: String) {
    LeftoverPlaces.add(.init(kind: .folders, folder: folder, name: prefix))
    removeFolders(in: folder, prefix: prefix) { _ in true }
  }

  /// Removes folders without an owner, with everything in them, if nothing in them is needed.
  ///
  /// - Parameters:
  ///   - folder: the folder to search.
  ///   - prefix: the beginning of our names, see ``OwnedName``.
  ///   - mayRemove: called while the folder is locked; return false to keep it.
  package static func removeFolders(
    in folder: String, prefix: String, mayRemove: (String) -> Bool
  ) {
    claim(in: folder, .folder, prefix: prefix) { path, descriptor in
      if mayRemove(path) { FileTree.remove(path, openAs: descriptor) }
    }
  }

  /// Locks each file or folder without an owner while a closure runs.
  private static func claim(
    in folder: String, _ kind: FileState.Kind, prefix: String, _ body: (String, Int32) -> Void
  ) {
    // A temporary folder may contain thousands of other files, so only ours are sorted.
    guard
      let names = try? FileTree.names(in: folder, where: { OwnedName.matches($0, prefix: prefix) })
    else { return }
    for name in names {
      let path = "\(folder)/\(name)"
      guard let identity = FileState(named: path), identity.kind == kind, identity.isOwn else {
        continue
      }
      // Without O_NONBLOCK, a pipe that replaced the file would block.
      let descriptor = FileOpening.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { FileLock.close(descriptor) }
      // Without locks, it is unknown whether the owner is alive.
      guard FileLock.take(descriptor) == .held,
        identity.isSameFile(as: FileState(of: descriptor)),
        identity.isSameFile(as: FileState(named: path))
      else { continue }
      body(path, descriptor)
    }
  }
}
