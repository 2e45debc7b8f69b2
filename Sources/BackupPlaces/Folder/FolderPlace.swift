package import CoreDataModel
internal import Foundation
internal import POSIX
internal import Synchronization

/// A folder on this machine, or on a disk of another one that is mounted here.
///
/// A file is written under a temporary name in the folder itself, synchronized, and linked to its name.
/// The temporary file is locked by its writer; the first write of the next place removes those whose
/// writer was killed. Folders are made as needed and removed with their last file. Links below the
/// folder are not followed.
package final class FolderPlace: BackupPlace {
  package let address: String

  private let hasCleanedUp = Mutex(false)

  /// The number of times to repeat an operation because another process removed an empty folder.
  private static let attempts = 10

  /// Creates the place; the folder need not exist until something is read.
  package init(path: String) {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    address = path
  }

  package func localPath(of name: String) -> String? {
    PlaceName.isValid(name) ? path(name) : nil
  }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    try FolderListing(below: address, prefix: prefix).files
  }

  package func strangers() throws(CofferError) -> [String] {
    try FolderListing(below: address, prefix: "").strangers
  }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try PlaceName.check(name, at: address)
    do throws(SystemError) {
      let descriptor = try FileBytes.openRegular(path(name))
      defer { FileIO.close(descriptor) }
      let size = UInt64(FileIO.size(of: descriptor) ?? 0)
      let range = (range ?? 0..<size).clamped(to: 0..<size)
      return try FileBytes.read(
        descriptor, at: Int(range.lowerBound), count: Int(range.upperBound - range.lowerBound))
    } catch {
      throw failure(.readFailed, name, error)
    }
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try write(name, from: file, isReplacing: false)
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    _ = try write(name, from: file, isReplacing: true)
  }

  package func delete(_ name: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    let path = path(name)
    guard unsafe unlink(path) == 0 else {
      let error = SystemError.last
      if error.isMissing { return }
      throw failure(.writeFailed, name, error)
    }
    var folder = Self.folder(of: path)
    // Fails at the first that is not empty.
    while folder.utf8.count > address.utf8.count, unsafe rmdir(folder) == 0 {
      folder = Self.folder(of: folder)
    }
    do throws(SystemError) {
      try FileNames.synchronizeReadableFolder(folder)
    } catch {
      // Somebody else may have removed that one too.
      if !error.isMissing { throw failure(.writeFailed, name, error) }
    }
  }

  // MARK: Writing

  /// Gives a copy of a local file its name.
  ///
  /// - Returns: false if there is one of that name that is not to be replaced.
  private func write(
    _ name: String, from file: String, isReplacing: Bool
  ) throws(CofferError) -> Bool {
    try PlaceName.check(name, at: address)
    let source: Int32
    do throws(SystemError) {
      source = try FileBytes.openRegular(file)
    } catch {
      throw CofferError(reading: file, error)
    }
    defer { FileIO.close(source) }
    let target = path(name)
    do throws(SystemError) {
      if !isReplacing, try FileState.look(named: target) != nil { return false }
      try makeFolder(address)
      cleanUp()
      let partial = try PartialFile(in: address)
      defer { partial.remove() }
      try partial.fill(from: source)
      return try place(partial, at: target, isReplacing: isReplacing)
    } catch {
      throw failure(.writeFailed, name, error)
    }
  }

  /// Gives a complete file its name, and makes the name durable.
  private func place(
    _ partial: borrowing PartialFile, at target: String, isReplacing: Bool
  ) throws(SystemError) -> Bool {
    let folder = Self.folder(of: target)
    for attempt in 1... {
      do throws(SystemError) {
        try makeFolder(folder)
        if isReplacing {
          try FileNames.move(partial.path, to: target)
        } else {
          try FileNames.moveWithoutReplacing(partial.path, to: target)
        }
        break
      } catch {
        if error.isPresent, !isReplacing { return false }
        // The process that deletes the last file of a folder also removes the folder.
        guard error.number == ENOENT, attempt < Self.attempts else { throw error }
      }
    }
    try FileNames.synchronizeReadableFolder(folder)
    return true
  }

  /// Makes a folder and its parents, durably; does nothing if it exists.
  private func makeFolder(_ folder: String) throws(SystemError) {
    if unsafe mkdir(folder, 0o777) != 0 {
      let error = SystemError.last
      if error.isPresent {
        guard try FileNames.kind(of: folder) == .folder else { throw SystemError(number: ENOTDIR) }
        return
      }
      guard error.number == ENOENT, folder.contains("/"), Self.folder(of: folder) != folder else {
        throw error
      }
      try makeFolder(Self.folder(of: folder))
      guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw .last }
    }
    try FileNames.synchronizeReadableFolder(Self.folder(of: folder))
  }

  /// Removes leftovers of killed writers, once.
  private func cleanUp() {
    let isFirst = hasCleanedUp.withLock { done in
      defer { done = true }
      return !done
    }
    guard isFirst else { return }
    Leftovers.removeFiles(in: address, prefix: PlaceName.partialPrefix)
  }

  private func path(_ name: String) -> String {
    address.hasSuffix("/") ? address + name : "\(address)/\(name)"
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func failure(
    _ code: CofferError.Code, _ name: String, _ error: SystemError
  ) -> CofferError {
    let isMissing = error.isMissing || error.number == EISDIR
    return CofferError(
      error.isDenied ? .accessDenied : code == .readFailed && isMissing ? .notFound : code,
      path: path(name), error)
  }
}

/// A file that is being written, under a temporary name and locked by its writer.
private struct PartialFile: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// The number of bytes to copy at a time.
  private static let pieceSize = 1 << 20

  init(in folder: String) throws(SystemError) {
    while true {
      let path = "\(folder)/\(PlaceName.partialPrefix)\(OwnedName.random())"
      do {
        let descriptor = try FileIO.create(path, mode: 0o666)
        if FileLock.own(descriptor, at: path) {
          self.path = path
          self.descriptor = descriptor
          return
        }
        FileIO.close(descriptor)
        FileNames.remove(path)
      } catch {
        guard error.isPresent else { throw error }
      }
    }
  }

  deinit { FileIO.close(descriptor) }

  /// Copies an open file, durably.
  func fill(from source: Int32) throws(SystemError) {
    var offset = 0
    while true {
      if Task<Never, Never>.isCancelled { throw .cancelled }
      let piece = try FileBytes.read(source, at: offset, count: Self.pieceSize)
      try FileBytes.write(piece, to: descriptor)
      offset += piece.count
      if piece.count < Self.pieceSize { break }
    }
    try FileIO.synchronize(descriptor)
  }

  /// Removes the temporary name, if the file still has it.
  func remove() { FileNames.remove(path) }
}
