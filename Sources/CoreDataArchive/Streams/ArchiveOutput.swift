internal import AgeEncryption
package import CoreDataModel
internal import POSIX

/// A file or pipe that is written piece by piece, such as an archive; encrypted if requested.
///
/// A file has a hidden temporary name in the same folder until ``commit()``; if anything fails
/// before that, it is removed. It is locked until then, so that the next output to the same file
/// can recognize and remove one that a crash left behind.
package final class ArchiveOutput {
  let path: String
  /// The temporary file, or nil for a pipe and after the end.
  private(set) var partialPath: String?
  /// The final path of the file: the given path, or the target of the link there.
  private let target: String
  private var descriptor: Int32
  /// In place of a descriptor, where nothing is written.
  private static let noDescriptor: Int32 = -1
  private let overwriting: Bool
  /// The count of bytes that were given to be written.
  private(set) var offset = 0
  /// The count of bytes of the file so far.
  package private(set) var byteCount = 0
  private var encryptor: AgeEncryptor?
  /// Encrypted bytes on their way out.
  private var sealed = ContiguousArray<UInt8>()

  /// Opens the destination.
  ///
  /// - Throws: `output-exists` for an existing file that may not be overwritten, `write-failed`.
  package init(
    _ destination: ArchiveDestination, encryption: ArchiveEncryption? = nil
  ) throws(CofferError) {
    encryptor = try encryption?.encryptor(path: destination.path)
    switch destination {
    case .descriptor(let descriptor, let name):
      self.descriptor = descriptor
      path = name
      target = name
      overwriting = false
    case .nowhere:
      (descriptor, path, target, overwriting) = (Self.noDescriptor, "", "", false)
    case .file(let path, let overwriting):
      self.path = path
      self.overwriting = overwriting
      // First of all: one that was killed after its archive got its name has left the other name.
      Self.removeLeftovers(of: path)
      switch try Self.kind(of: path) {
      case .missing: break
      case .folder:
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        throw CofferError(
          .refused, path: path, detail: "it is a folder",
          advice: "Give the path of an archive file, such as \(folder)/Archive.coffer.tar.gz.")
      case _ where !overwriting: throw Self.exists(path)
      case .regular: break
      case .other:
        throw CofferError(.writeFailed, path: path, detail: "it is not a regular file")
      }
      do {
        target = FileState(named: path)?.kind == .link ? try FileNames.resolve(path) : path
        if target != path { Self.removeLeftovers(of: target) }
        (partialPath, descriptor) = try Self.makePartial(for: target)
      } catch {
        throw CofferError(.writeFailed, path: path, error)
      }
      // A file that replaces a private file is private.
      FileIO.restrict(descriptor, toPermissionsOf: target)
    }
  }

  /// Removes the incomplete files of a target that others have left that were killed.
  private static func removeLeftovers(of target: String) {
    Leftovers.removeFiles(in: folder(of: target), prefix: partialPrefix(for: target))
  }

  /// Creates the incomplete file of a target.
  private static func makePartial(for target: String) throws(SystemError) -> (String?, Int32) {
    let folder = folder(of: target)
    let prefix = partialPrefix(for: target)
    while true {
      let partial = "\(folder)/\(prefix)\(OwnedName.random())"
      do {
        let descriptor = try FileIO.create(partial, mode: 0o666)
        if FileLock.own(descriptor, at: partial) { return (partial, descriptor) }
        FileIO.close(descriptor)
        FileNames.remove(partial)
      } catch {
        guard error.isPresent else { throw error }
      }
    }
  }

  deinit { abandon() }

  /// Writes all bytes; throws `output-closed` for a pipe without a reader, `write-failed`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    if encryptor != nil {
      unsafe encryptor?.append(bytes, into: &sealed)
      try writeSealed()
    } else {
      try unsafe writeOut(bytes)
    }
    offset += bytes.count
  }

  private func writeSealed() throws(CofferError) {
    try unsafe sealed.withBytes { bytes throws(CofferError) in try unsafe writeOut(bytes) }
    sealed.removeAll(keepingCapacity: true)
  }

  private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    do {
      if descriptor != Self.noDescriptor { try unsafe FileIO.writeAll(descriptor, bytes) }
    } catch {
      if error.isClosedPipe {
        throw CofferError(
          .outputClosed, path: path, detail: "the program that read the pipe has ended")
      }
      throw CofferError(.writeFailed, path: path, offset: byteCount, error)
    }
    byteCount += bytes.count
  }

  /// Ends the encryption, makes the file durable and gives it its name.
  ///
  /// - Throws: `output-exists` if a file with that name appeared meanwhile, `write-failed`; also if
  ///   the file has its name, but the folder could not be synchronized.
  package func commit() throws(CofferError) {
    if encryptor != nil {
      encryptor?.finish(into: &sealed)
      encryptor = nil
      try writeSealed()
    }
    guard let partial = partialPath else { return }
    do {
      try FileIO.synchronize(descriptor)
      try Self.place(partial, at: target, overwriting: overwriting)
    } catch {
      throw error.isPresent
        ? Self.exists(path) : CofferError(.writeFailed, path: path, error)
    }
    partialPath = nil
    FileIO.close(descriptor)
    do {
      try FileNames.synchronizeReadableFolder(Self.folder(of: target))
    } catch {
      var failure = CofferError(.writeFailed, path: path, error)
      failure.detail = "it is complete, but may be lost in a power failure: \(error.text)"
      throw failure
    }
  }

  /// Removes an incomplete file; a pipe keeps the bytes that it received.
  package func abandon() {
    guard let partial = partialPath else { return }
    partialPath = nil
    FileIO.close(descriptor)
    FileNames.remove(partial)
  }

  private static func place(
    _ partial: String, at target: String, overwriting: Bool
  ) throws(SystemError) {
    guard overwriting else {
      return try FileNames.moveWithoutReplacing(partial, to: target)
    }
    try FileNames.move(partial, to: target)
  }

  private static func kind(of path: String) throws(CofferError) -> FileNames.Kind {
    do {
      return try FileNames.kind(of: path)
    } catch {
      throw CofferError(.writeFailed, path: path, error)
    }
  }

  private static func exists(_ path: String) -> CofferError {
    CofferError(
      .outputExists, path: path, detail: "it is replaced only on request",
      advice: .allowReplacing)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The beginning of the names of a target's incomplete files, short enough for every file system.
  private static func partialPrefix(for path: String) -> String {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    var short = String(name)
    while short.utf8.count > 200 { short.removeLast() }
    return ".\(short).coffer-partial-"
  }
}
