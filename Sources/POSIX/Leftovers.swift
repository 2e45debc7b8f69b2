/// The leftovers of killed processes: temporary files and folders whose locks no one holds any
/// more.
///
/// Only regular files and folders with our names that belong to this user are considered. Nothing
/// here is an error: what cannot be removed stays.
package enum Leftovers {
  /// Removes files without an owner.
  ///
  /// - Parameters:
  ///   - folder: the folder to search.
  ///   - isOurs: whether a name is one of ours.
  package static func removeFiles(in folder: String, where isOurs: (String) -> Bool) {
    claim(in: folder, .file, where: isOurs) { path, _ in unsafe unlink(path) }
  }

  /// Removes folders without an owner, with everything in them.
  ///
  /// - Parameters:
  ///   - folder: the folder to search.
  ///   - isOurs: whether a name is one of ours.
  ///   - mayRemove: called while the folder is locked; return false to keep it.
  package static func removeFolders(
    in folder: String, where isOurs: (String) -> Bool,
    mayRemove: (String) -> Bool = { _ in true }
  ) {
    claim(in: folder, .folder, where: isOurs) { path, descriptor in
      if mayRemove(path) { FileTree.remove(path, openAs: descriptor) }
    }
  }

  /// Locks each file or folder without an owner while a closure runs.
  private static func claim(
    in folder: String, _ kind: FileIdentity.Kind, where isOurs: (String) -> Bool,
    _ body: (String, Int32) -> Void
  ) {
    // A temporary folder may contain thousands of other files, so only ours are sorted.
    guard let names = try? FileTree.names(in: folder, where: isOurs) else { return }
    for name in names {
      let path = "\(folder)/\(name)"
      guard let identity = FileIdentity(of: path), identity.kind == kind, identity.isOwn else {
        continue
      }
      // Without O_NONBLOCK, a pipe that replaced the file would block.
      let descriptor = FileOpening.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { FileLock.close(descriptor) }
      // Without locks, it is unknown whether the owner is alive.
      guard FileLock.take(descriptor) == .held,
        identity.isSameFile(as: FileIdentity(of: descriptor)),
        identity.isSameFile(as: FileIdentity(of: path))
      else { continue }
      body(path, descriptor)
    }
  }
}
