internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Moves of files that survive a loss of power, and the questions that come before them.
enum FileSync {
  /// Whether there is anything of that name, a link that leads nowhere included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether there is a folder of that name.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Moves a file or folder within a file system; what is in the target's place is replaced.
  static func move(_ source: String, to target: String) throws(StoreError) {
    guard unsafe rename(source, target) == 0 else { throw failure(target) }
  }

  /// Moves a file, and fails where there is one in the target's place.
  static func moveWithoutReplacing(_ source: String, to target: String) throws(StoreError) {
    if unsafe link(source, target) == 0 {
      unsafe unlink(source)
      return
    }
    if errno == EEXIST {
      throw StoreError(
        .outputExists, place: target, detail: "it appeared while the store was being written")
    }
    // Not every file system has links: there the check just before has to do.
    guard !exists(target) else {
      throw StoreError(
        .outputExists, place: target, detail: "it appeared while the store was being written")
    }
    try move(source, to: target)
  }

  /// Makes sure that a folder and all in it is on the disk.
  static func syncTree(_ folder: String) throws(StoreError) {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    for name in names {
      try syncFolder(StorePaths.join(folder, name))
    }
    try syncFolder(folder)
  }

  /// Makes sure that a file, or the list of a folder's files, is on the disk.
  static func syncFolder(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { _ = close(descriptor) }
    // Some file systems cannot sync a folder; that is no reason to fail.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure(path) }
  }

  private static func failure(_ path: String) -> StoreError {
    let cause = unsafe String(cString: strerror(errno))
    return StoreError(.cannotWrite, place: path, detail: cause)
  }
}
