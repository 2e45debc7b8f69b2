package import CoreDataModel
internal import Foundation
internal import OwnedFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Moves of files that survive a loss of power, and the questions that come before them.
package enum FileSync {
  /// Whether there is anything of that name, a link that leads nowhere included.
  package static func exists(_ path: String) -> Bool {
    FileIdentity(of: path) != nil
  }

  /// What a name stands for, links not followed; nil when there is nothing.
  ///
  /// - Throws: `write-failed` where that cannot be told: what is there must not count as missing.
  static func look(at path: String) throws(CofferError) -> FileIdentity? {
    do {
      return try FileIdentity.look(at: path)
    } catch {
      throw failure(path, error.number)
    }
  }

  /// Everything in a folder and the folders in it, those above before what is in them.
  ///
  /// - Throws: `write-failed` where a folder cannot be listed.
  static func entries(
    below folder: String
  ) throws(CofferError) -> [(path: String, identity: FileIdentity)] {
    do throws(FileFailure) {
      return try FileTree.entries(below: folder)
    } catch {
      throw failure(folder, error.number)
    }
  }

  /// Whether there is a folder of that name; links are followed.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Moves a file or folder within a file system; what is in the target's place is replaced.
  package static func move(_ source: String, to target: String) throws(CofferError) {
    guard unsafe rename(source, target) == 0 else { throw failure(target) }
  }

  /// Moves a file, and fails where there is one in the target's place.
  package static func moveWithoutReplacing(_ source: String, to target: String) throws(CofferError)
  {
    if unsafe link(source, target) == 0 {
      unsafe unlink(source)
      return
    }
    if errno == EEXIST {
      throw CofferError(
        .outputExists, path: target, detail: "it appeared while the store was being written")
    }
    // Not every file system has links: there the check just before has to do.
    guard !exists(target) else {
      throw CofferError(
        .outputExists, path: target, detail: "it appeared while the store was being written")
    }
    try move(source, to: target)
  }

  /// Makes sure that a folder and all in it is on the disk.
  static func syncTree(_ folder: String) throws(CofferError) {
    for entry in try entries(below: folder) { try syncFolder(StorePaths.join(folder, entry.path)) }
    try syncFolder(folder)
  }

  /// Makes sure that a file, or the list of a folder's files, is on the disk.
  package static func syncFolder(_ path: String) throws(CofferError) {
    let descriptor = FileOpening.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw failure(path) }
    defer { _ = close(descriptor) }
    try sync(descriptor, path)
  }

  /// Makes sure that an open file is on the disk.
  static func sync(_ descriptor: Int32, _ path: String) throws(CofferError) {
    #if canImport(Darwin)
      // fsync alone leaves the bytes in the drive's cache; not every file system knows the other.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems cannot sync a folder; that is no reason to fail.
      guard errno == EINVAL || errno == ENOTSUP else { throw failure(path) }
      return
    }
  }

  /// Takes from a file the permissions that another does not have, those of its owner excepted: what
  /// takes the place of a private file is private.
  static func restrict(_ path: String, to other: String) {
    guard let own = FileIdentity(of: path), let given = FileIdentity(of: other) else { return }
    unsafe chmod(path, mode_t(own.permissions & (given.permissions | 0o600)))
  }

  /// Writes all bytes to an open file.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
  ) throws(CofferError) {
    var rest = unsafe bytes
    while rest.count > 0 {
      let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// The error for a call that failed: the last one of this thread, or that with an error number.
  package static func failure(_ path: String, _ number: Int32 = errno) -> CofferError {
    CofferError(
      .writeFailed, path: path, detail: unsafe String(cString: strerror(number)),
      advice: SystemAdvice.advice(for: number, at: path))
  }
}
