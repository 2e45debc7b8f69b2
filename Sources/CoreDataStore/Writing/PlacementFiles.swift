internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Every change that a commit, or the recovery from one, makes to the file system: one call, one
/// change.
///
/// Tests stop before each of them, and inspect the state that a crash would leave.
final class PlacementFiles {
  /// Called with a description before each change.
  ///
  /// If it throws, the change is not made.
  var willChange: ((String) throws(CofferError) -> Void)?
  /// Whether all further changes are suppressed, as after a crash.
  var isStopped = false
  /// Whether files may get second names; tests say no, as some file systems do.
  var mayLink = true

  private func begin(_ change: String) throws(CofferError) {
    try willChange?(change)
  }

  /// Moves a file or folder; an existing target is replaced.
  func move(_ source: String, to target: String) throws(CofferError) {
    try begin("move \(target)")
    try FileSync.move(source, to: target)
  }

  /// Moves a file, and fails with `output-exists` where something is in its way.
  func moveWithoutReplacing(_ source: String, to target: String) throws(CofferError) {
    try begin("move \(target)")
    try FileSync.moveWithoutReplacing(source, to: target)
  }

  /// Gives a file a second name.
  ///
  /// - Returns: false if that is not possible here, or for this file, or if the file is gone.
  func link(_ source: String, to target: String) throws(CofferError) -> Bool {
    guard mayLink else { return false }
    try begin("link \(target)")
    guard unsafe linkat(AT_FDCWD, source, AT_FDCWD, target, 0) != 0 else { return true }
    let error = SystemError.last
    switch error.number {
    case EPERM, EACCES, EMLINK, ENOTSUP, EOPNOTSUPP, EXDEV, ENOSYS: return false
    case ENOENT where try FileSync.look(at: source) == nil: return false
    default: throw FileSync.failure(target, error)
    }
  }

  /// Makes a folder, unless it already exists.
  func makeFolder(_ path: String) throws(CofferError) {
    if try FileSync.look(at: path)?.kind == .folder { return }
    try begin("folder \(path)")
    guard unsafe mkdir(path, 0o777) == 0 else { throw FileSync.failure(path) }
  }

  func makeFolders(above path: String, in parent: String) throws(CofferError) {
    var folder = parent
    for component in path.split(separator: "/").dropLast() {
      folder += "/\(component)"
      try makeFolder(folder)
    }
  }

  func copy(_ source: String, to target: String) throws(CofferError) {
    try begin("copy \(target)")
    do {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      throw CofferError(
        .writeFailed, path: target, detail: "it cannot be copied from \(source)",
        advice: "Check that the disk is not full.")
    }
  }

  /// Removes a file or an empty folder; a missing one counts as removed.
  func remove(_ path: String) throws(CofferError) {
    guard let identity = try FileSync.look(at: path) else { return }
    try begin("remove \(path)")
    let isFolder = identity.kind == .folder
    guard unsafe unlinkat(AT_FDCWD, path, isFolder ? AT_REMOVEDIR : 0) == 0 else {
      throw FileSync.failure(path)
    }
  }

  /// Writes a short file that was not there, and makes sure that it is on the disk.
  func write(_ text: String, to path: String) throws(CofferError) {
    try begin("write \(path)")
    let descriptor = FileOpening.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw FileSync.failure(path) }
    defer { _ = close(descriptor) }
    let written = unsafe Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try unsafe FileIO.writeAll(descriptor, bytes) }
    }
    do throws(SystemError) {
      try written.get()
      try FileIO.synchronizeWherePossible(descriptor)
    } catch {
      throw FileSync.failure(path, error)
    }
  }

  /// Makes sure that a folder's list of names is on the disk.
  func sync(_ folder: String) throws(CofferError) {
    try begin("sync \(folder)")
    try FileSync.syncFolder(folder)
  }
}
