/// What processes have left behind that were killed: temporary files and folders whose lock nobody
/// holds any more.
///
/// Only what bears a name of ours, is a regular file or a folder, and belongs to this user is looked
/// at. Nothing here is an error: what cannot be removed stays.
package enum Leftovers {
  /// Removes files without an owner.
  ///
  /// - Parameters:
  ///   - folder: where to look.
  ///   - isOurs: whether a name is one that is looked for.
  package static func removeFiles(in folder: String, where isOurs: (String) -> Bool) {
    claim(in: folder, .file, where: isOurs) { path, _ in unsafe unlink(path) }
  }

  /// Removes folders without an owner, with all that is in them.
  ///
  /// - Parameters:
  ///   - folder: where to look.
  ///   - isOurs: whether a name is one that is looked for.
  ///   - mayRemove: called while the folder is locked; false keeps it.
  package static func removeFolders(
    in folder: String, where isOurs: (String) -> Bool,
    mayRemove: (String) -> Bool = { _ in true }
  ) {
    claim(in: folder, .folder, where: isOurs) { path, descriptor in
      if mayRemove(path) { FileTree.remove(path, openAs: descriptor) }
    }
  }

  /// Locks what has no owner, one after the other, for the time of a closure.
  private static func claim(
    in folder: String, _ kind: FileIdentity.Kind, where isOurs: (String) -> Bool,
    _ body: (String, Int32) -> Void
  ) {
    // A folder for temporary files may hold thousands of others: only ours are sorted.
    guard let names = try? FileTree.names(in: folder, where: isOurs) else { return }
    for name in names {
      let path = "\(folder)/\(name)"
      guard let identity = FileIdentity(of: path), identity.kind == kind, identity.isOwn else {
        continue
      }
      // Without O_NONBLOCK a pipe that takes the file's place would keep us waiting.
      let descriptor = FileOpening.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { _ = close(descriptor) }
      // Where there are no locks nobody can tell whether the owner lives.
      guard FileLock.take(descriptor) == .held,
        identity.isSameFile(as: FileIdentity(of: descriptor)),
        identity.isSameFile(as: FileIdentity(of: path))
      else { continue }
      body(path, descriptor)
    }
  }
}
