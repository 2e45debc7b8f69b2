/// What is done to files by their names.
package enum FileNames {
  /// What stands at a path.
  package enum Kind: Equatable, Sendable {
    case missing, regular, folder, other
  }

  /// What stands at a path; symbolic links are followed, a dangling one is `other`.
  ///
  /// - Throws: the system's error where that cannot be told.
  package static func kind(of path: String) throws(SystemError) -> Kind {
    var status = stat()
    if unsafe stat(path, &status) != 0 {
      guard errno == ENOENT else { throw .last }
      if unsafe lstat(path, &status) == 0 { return .other }
      guard errno == ENOENT else { throw .last }
      return .missing
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The absolute path without symbolic links.
  package static func resolve(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Brings a file or a folder's list of names to the medium, where the file system can.
  ///
  /// - Throws: the system's error where that failed, or the file or folder may not be read.
  package static func synchronize(_ path: String) throws(SystemError) {
    let descriptor = try FileIO.open(path)
    defer { closeFile(descriptor) }
    try FileIO.synchronizeWherePossible(descriptor)
  }

  /// Brings a folder's list of names to the medium, where the file system can and the folder may be
  /// read: one may be allowed to create files in a folder, but not to list them.
  package static func synchronizeReadableFolder(_ path: String) throws(SystemError) {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try FileIO.open(path)
    } catch {
      if error.isDenied { return }
      throw error
    }
    defer { closeFile(descriptor) }
    try FileIO.synchronizeWherePossible(descriptor)
  }

  /// Moves a file or folder within a file system; what is in the target's place is replaced.
  package static func move(_ path: String, to target: String) throws(SystemError) {
    guard unsafe rename(path, target) == 0 else { throw .last }
  }

  /// Moves a file within a file system.
  ///
  /// - Throws: a failure that is `isPresent` where something is in the target's place, also when it
  ///   appeared only now; the system's otherwise.
  package static func moveWithoutReplacing(
    _ path: String, to target: String
  ) throws(SystemError) {
    if unsafe link(path, target) == 0 {
      unsafe unlink(path)
      return
    }
    if errno == EEXIST { throw .last }
    // Not every file system has links: there a look just before has to do.
    if try FileIdentity.look(at: target) != nil { throw SystemError(number: EEXIST) }
    try move(path, to: target)
  }

  /// Removes a file; nothing happens where there is none.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Makes a file longer, with zeros; one that is as long already stays as it is.
  ///
  /// Where there is no room for so many zeros the file stays short.
  package static func extend(_ path: String, to byteCount: Int64) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, Int64(status.st_size) < byteCount else { return }
    unsafe truncate(path, off_t(clamping: byteCount))
  }

  /// Copies a file by letting the copy share its blocks, which only Apple's file system can without
  /// opening it; only this user may write the copy.
  ///
  /// - Returns: false where that cannot be done; then there is no copy.
  package static func clone(_ source: String, to target: String) -> Bool {
    #if canImport(Darwin)
      guard unsafe clonefile(source, target, UInt32(CLONE_NOFOLLOW)) == 0 else { return false }
      // The clone has the mode of the source, which may be read-only.
      guard unsafe chmod(target, 0o600) == 0 else {
        unsafe unlink(target)
        return false
      }
      return true
    #else
      return false
    #endif
  }

  // MARK: Temporary files

  /// The folder for temporary files: `TMPDIR`, or the system's.
  package static var temporaryFolder: String {
    guard let folder = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: folder)
    return path.isEmpty ? "/tmp" : path
  }

  /// The beginning of the names that files without a name have for a moment.
  private static let spoolPrefix = "coffer-spool-"

  /// Opens a file without a name, accessible to this user alone, which is gone when the descriptor is
  /// closed.
  ///
  /// It has a name for the moment between its creation and the next call; what a crash leaves in that
  /// moment is an empty file, which the next call of another process removes.
  ///
  /// - Parameter folder: the folder whose file system keeps it.
  /// - Returns: the descriptor, for writing and reading.
  /// - Throws: the system's error.
  package static func createNameless(in folder: String) throws(SystemError) -> Int32 {
    Leftovers.removeFiles(in: folder) { OwnedName.matches($0, prefix: spoolPrefix) }
    while true {
      let path = "\(folder)/\(spoolPrefix)\(OwnedName.random())"
      do {
        let descriptor = try FileIO.create(path, mode: 0o600)
        // Somebody who took it for a leftover has done the same.
        _ = unsafe unlink(path)
        return descriptor
      } catch {
        guard error.isPresent else { throw error }
      }
    }
  }
}
