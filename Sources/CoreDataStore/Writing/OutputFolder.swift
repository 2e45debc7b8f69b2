package import CoreDataModel
internal import Foundation
internal import POSIX

/// A folder of files that appears under its name when all of them are complete, and not before.
///
/// The files are written in a hidden folder next to it. A file in the folder (``recordName``) lists
/// them, so that a later output can replace it without deleting anything that someone else put
/// there.
package final class OutputFolder {
  /// The name of the file with the names of all others.
  package static let recordName = ".coffer-files"
  /// The size of the part of the list of files that is kept in memory.
  private static let recordPiece = 1 << 16

  /// The final path of the folder.
  package let path: String
  private let owned: OwnedFolder
  private let isReplacing: Bool
  private var record: ContiguousArray<UInt8> = []
  private var isDone = false

  /// The folder with the output, until it gets its name.
  private var draft: String { "\(owned.path)/new" }

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - path: the folder to create.
  ///   - isReplacing: whether an earlier output or an empty folder is replaced.
  /// - Throws: ``CofferError``: `output-exists`; `refused` if it is not a folder, or contains files
  ///   that coffer did not write; `not-found` if the parent folder does not exist; `write-failed`.
  package init(at path: String, replacing isReplacing: Bool) throws(CofferError) {
    self.path = Self.trimmed(path)
    self.isReplacing = isReplacing
    let parent = StorePaths.folder(of: self.path)
    guard FileSync.isFolder(parent) else {
      throw CofferError(
        .writeFailed, path: parent, detail: "the folder does not exist",
        advice: "Create the folder first.")
    }
    let prefix = Self.prefix(of: self.path)
    Leftovers.removeFolders(in: parent, prefix: prefix)
    try Self.check(self.path, isReplacing: isReplacing)
    do throws(SystemError) {
      owned = try OwnedFolder(in: parent, prefix: prefix)
    } catch {
      throw FileSync.failure(self.path, error)
    }
    do throws(CofferError) {
      try makeFolder(draft)
      try append(Array("Files that coffer wrote here:\n".utf8), to: Self.recordName)
    } catch {
      owned.remove()
      throw error
    }
  }

  deinit { abandon() }

  /// The path of a listed file that the caller writes; throws `write-failed` if the list cannot be written.
  package func pathOfFile(_ name: String) throws(CofferError) -> String {
    try list(name)
    return "\(draft)/\(name)"
  }

  /// Creates an empty file.
  ///
  /// - Parameter name: the name; within a folder of the output after a slash.
  /// - Throws: `write-failed`, also if a file with that name exists.
  package func create(_ name: String) throws(CofferError) {
    try list(name)
    try placed { () throws(CofferError) in
      if let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) {
        let folder = "\(draft)/\(name[..<slash])"
        if !FileSync.exists(folder) { try makeFolder(folder) }
      }
      _ = close(try Self.open("\(draft)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
    }
  }

  /// Appends bytes to a file; it is open for the time of the call alone, so that there may be any
  /// number of them.
  ///
  /// - Throws: `write-failed`.
  package func append(_ bytes: UnsafeRawBufferPointer, to name: String) throws(CofferError) {
    try placed { () throws(CofferError) in
      let path = "\(draft)/\(name)"
      let descriptor = try Self.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
      defer { _ = close(descriptor) }
      try unsafe FileSync.write(bytes, to: descriptor, path)
    }
  }

  /// Appends bytes to a file; throws `write-failed`.
  package func append(_ bytes: [UInt8], to name: String) throws(CofferError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(CofferError) in unsafe try append(bytes, to: name) }
    }
    try result.get()
  }

  /// Gives the folder its name.
  ///
  /// - Throws: `output-exists` or `refused` if something appeared at its place meanwhile,
  ///   `write-failed`; then the earlier content is back.
  package func commit() throws(CofferError) {
    try writeRecord()
    try placed { () throws(CofferError) in try FileSync.syncTree(draft) }
    try Self.check(path, isReplacing: isReplacing)
    let old = "\(owned.path)/old"
    let hadOld = FileSync.exists(path)
    if hadOld { try placed { () throws(CofferError) in try FileSync.move(path, to: old) } }
    do throws(CofferError) {
      try placed { () throws(CofferError) in try FileSync.move(draft, to: path) }
    } catch {
      if hadOld { try? FileSync.move(old, to: path) }
      throw error
    }
    isDone = true
    owned.remove()
    try FileSync.syncFolder(StorePaths.folder(of: path))
  }

  /// Removes the output; does nothing after a commit.
  package func abandon() {
    guard !isDone else { return }
    isDone = true
    owned.remove()
  }

  /// Does something with the draft.
  ///
  /// - Throws: errors from the closure, with the final name of the file, because the user does not
  ///   know the draft's name.
  private func placed(_ body: () throws(CofferError) -> Void) throws(CofferError) {
    do throws(CofferError) {
      try body()
    } catch {
      var placed = error
      if error.place.path.hasPrefix(draft) {
        placed.place.path = path + error.place.path.dropFirst(draft.count)
      } else if error.place.path.hasPrefix(owned.path) {
        placed.place.path = path
      }
      throw placed
    }
  }

  private func list(_ name: String) throws(CofferError) {
    record += Array(name.utf8)
    record.append(0x0A)
    if record.count >= Self.recordPiece { try writeRecord() }
  }

  private func writeRecord() throws(CofferError) {
    try append(Array(record), to: Self.recordName)
    record.removeAll(keepingCapacity: true)
  }

  private func makeFolder(_ path: String) throws(CofferError) {
    guard unsafe mkdir(path, 0o777) == 0 else { throw FileSync.failure(path) }
  }

  private static func open(_ path: String, _ flags: Int32) throws(CofferError) -> Int32 {
    let descriptor = FileOpening.open(path, flags, mode: 0o666)
    guard descriptor >= 0 else { throw FileSync.failure(path) }
    return descriptor
  }

  /// The beginning of the names of the drafts of a folder, short enough for every file system.
  private static func prefix(of path: String) -> String {
    var name = StorePaths.name(of: path)
    while name.utf8.count > 200 { name.removeLast() }
    return ".\(name).coffer-partial-"
  }

  /// A path without the slashes that it may end with.
  private static func trimmed(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Existing files

  /// Checks that nothing exists that may not be replaced.
  private static func check(_ path: String, isReplacing: Bool) throws(CofferError) {
    guard let identity = try FileSync.look(at: path) else { return }
    guard identity.kind == .folder else {
      throw CofferError(
        .refused, path: path, detail: "this name exists and is not a folder",
        advice: "Choose another name.")
    }
    if let foreign = try foreignFile(in: path) {
      throw CofferError(
        .refused, path: path, detail: "it contains \(foreign), which is not from an earlier export",
        advice: "Choose another name, or move the files that you want to keep.")
    }
    guard isReplacing else {
      throw CofferError(
        .outputExists, path: path, detail: "it is replaced only on request",
        advice: .allowReplacing)
    }
  }

  /// The first file in a folder that coffer did not write; nil if there is none.
  private static func foreignFile(in folder: String) throws(CofferError) -> String? {
    let entries = try FileSync.entries(below: folder)
    let record = FileManager.default.contents(atPath: "\(folder)/\(recordName)") ?? Data()
    var listed: Set<Data> = [Data(recordName.utf8)]
    for line in record.split(separator: 0x0A).dropFirst() { listed.insert(Data(line)) }
    for entry in entries {
      if entry.identity.kind == .folder { continue }
      let isOurs = entry.identity.kind == .file && listed.contains(Data(entry.path.utf8))
      if !isOurs { return entry.path }
    }
    return nil
  }
}
