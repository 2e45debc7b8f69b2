package import CoreDataModel
internal import Foundation
package import POSIX

/// Moves of files that survive a loss of power, and the checks before them.
package enum FileSync {
  /// Whether anything has that name, including a dangling link.
  package static func exists(_ path: String) -> Bool {
    FileState(named: path) != nil
  }

  /// The identity of the file with a name, without following links; nil if there is none.
  ///
  /// - Throws: `write-failed` if that cannot be determined: an existing file must not count as missing.
  static func look(at path: String) throws(CofferError) -> FileState? {
    do {
      return try FileState.look(named: path)
    } catch {
      throw failure(path, error)
    }
  }

  /// Everything in a folder and its subfolders, each folder before its content.
  ///
  /// - Throws: `write-failed` where a folder cannot be listed.
  static func entries(
    below folder: String
  ) throws(CofferError) -> [(path: String, identity: FileState)] {
    do throws(SystemError) {
      return try FileTree.entries(below: folder)
    } catch {
      throw failure(folder, error)
    }
  }

  /// Whether there is a folder of that name; links are followed.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Does something with a file; throws `write-failed` where the system could not.
  package static func at<T>(
    _ path: String, _ body: () throws(SystemError) -> T
  ) throws(CofferError) -> T {
    do throws(SystemError) {
      return try body()
    } catch {
      throw failure(path, error)
    }
  }

  /// Moves a file or folder within a file system; an existing target is replaced.
  package static func move(_ source: String, to target: String) throws(CofferError) {
    try at(target) { () throws(SystemError) in try FileNames.move(source, to: target) }
  }

  /// Moves a file; throws `output-exists` if the target exists, `write-failed`.
  package static func moveWithoutReplacing(
    _ source: String, to target: String
  ) throws(CofferError) {
    do throws(SystemError) {
      try FileNames.moveWithoutReplacing(source, to: target)
    } catch {
      guard error.isPresent else { throw failure(target, error) }
      throw CofferError(
        .outputExists, path: target, detail: "it appeared while the store was being written")
    }
  }

  /// Makes sure that a folder and all in it is on the disk.
  static func syncTree(_ folder: String) throws(CofferError) {
    for entry in try entries(below: folder) { try syncFolder(StorePaths.join(folder, entry.path)) }
    try syncFolder(folder)
  }

  /// Makes sure that a file, or the list of a folder's files, is on the disk.
  package static func syncFolder(_ path: String) throws(CofferError) {
    try at(path) { () throws(SystemError) in try FileNames.synchronize(path) }
  }

  /// Removes permissions from a file that another file does not grant, except the owner's: a file
  /// that replaces a private file is private.
  static func restrict(_ path: String, to other: String) {
    guard let own = FileState(named: path), let given = FileState(named: other) else { return }
    unsafe chmod(path, mode_t(own.permissions & (given.permissions | 0o600)))
  }

  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
  ) throws(CofferError) {
    do throws(SystemError) {
      try unsafe FileIO.writeAll(descriptor, bytes)
    } catch {
      throw failure(path, error)
    }
  }

  /// The error for a call that failed: the last one of this thread, or another.
  package static func failure(_ path: String, _ error: SystemError = .last) -> CofferError {
    CofferError(.writeFailed, path: path, error)
  }
}
