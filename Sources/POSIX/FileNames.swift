/// Operations on files by name.
package enum FileNames {
  /// The kind of file at a path.
  package enum Kind: Equatable, Sendable {
    case missing, regular, folder, other
  }

  /// The kind of file at a path.
  ///
  /// Follows symbolic links; a broken one is `other`.
  ///
  /// - Throws: the system's error if it is unknown.
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

  /// Writes a file, or the list of names in a folder, to the storage device if the file system
  /// supports it.
  ///
  /// - Throws: the system's error if that failed or permission to read is missing.
  package static func synchronize(_ path: String) throws(SystemError) {
    let descriptor = try FileIO.open(path)
    defer { closeFile(descriptor) }
    try FileIO.synchronizeWherePossible(descriptor)
  }

  /// Writes the list of names in a folder to the storage device if the file system supports it and
  /// the folder is readable.
  ///
  /// A user may be allowed to create files in a folder but not to list them.
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

  /// Moves a file or folder within a file system, replacing an existing target.
  package static func move(_ path: String, to target: String) throws(SystemError) {
    guard unsafe rename(path, target) == 0 else { throw .last }
  }

  /// Moves a file within a file system.
  ///
  /// - Throws: an error with `isPresent` if the target exists, even if it was created just before;
  ///   otherwise the system's error.
  package static func moveWithoutReplacing(_ path: String, to target: String) throws(SystemError) {
    if unsafe link(path, target) == 0 {
      unsafe unlink(path)
      return
    }
    if errno == EEXIST { throw .last }
    // Not every file system has links. Without them, check just before the move.
    if try FileState.look(named: target) != nil { throw SystemError(number: EEXIST) }
    try move(path, to: target)
  }

  /// Gives a file a second name, and returns whether that succeeded.
  package static func add(_ second: String, to path: String) -> Bool {
    unsafe link(path, second) == 0
  }

  /// Removes a file.
  ///
  /// Does nothing if it does not exist.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Extends a file with zeros.
  ///
  /// A file that is already as long stays unchanged.
  ///
  /// If there is not enough space, the file stays short.
  package static func extend(_ path: String, to byteCount: Int64) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, Int64(status.st_size) < byteCount else { return }
    unsafe truncate(path, off_t(clamping: byteCount))
  }

  /// Copies a file by sharing its blocks, which only Apple's file system can do without opening it.
  ///
  /// Only this user may write the copy.
  ///
  /// - Returns: false, without a copy, if that is not possible.
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

  /// The user's cache folder: `XDG_CACHE_HOME`, or the one in the home folder; nil without a home
  /// folder.
  package static var cacheFolder: String? {
    func path(_ name: String) -> String? {
      guard let value = unsafe getenv(name) else { return nil }
      let path = unsafe String(cString: value)
      // The specification ignores paths that are not absolute.
      return path.hasPrefix("/") ? path : nil
    }
    #if canImport(Darwin)
      let name = "Library/Caches"
    #else
      let name = ".cache"
    #endif
    return path("XDG_CACHE_HOME") ?? path("HOME").map { "\($0)/\(name)" }
  }

  /// The prefix of the names that unnamed files have for a moment.
  private static let spoolPrefix = "coffer-spool-"

  /// Opens an unnamed file, private to this user, which disappears when the descriptor is closed.
  ///
  /// It has a name for a moment after its creation. If the process is killed then, it leaves an
  /// empty file, which the next call of another process removes.
  ///
  /// - Returns: the descriptor, for reading and writing.
  /// - Throws: the system's error.
  package static func createNameless(in folder: String) throws(SystemError) -> Int32 {
    Leftovers.removeFiles(in: folder, prefix: spoolPrefix)
    while true {
      let path = "\(folder)/\(spoolPrefix)\(OwnedName.random())"
      do {
        let descriptor = try FileIO.create(path, mode: 0o600)
        // Another process may have removed it as a leftover already.
        _ = unsafe unlink(path)
        return descriptor
      } catch {
        guard error.isPresent else { throw error }
      }
    }
  }
}
