package import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Writes the output of a model: completely, or not at all.
package enum ModelOutput {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - path: the place of the file.
  ///   - isOverwriting: whether an existing file is replaced, in one step.
  /// - Throws: `CofferError`: `output-exists`; `refused` if a folder has that name; `write-failed`.
  package static func write(
    _ bytes: [UInt8], to path: String, overwriting isOverwriting: Bool
  ) throws(CofferError) {
    try requireRoom(at: path, overwriting: isOverwriting)
    try place(at: path) { draft throws(CofferError) in
      try fill(draft, bytes)
      if isOverwriting {
        try FileSync.move(draft, to: path)
      } else {
        try FileSync.moveWithoutReplacing(draft, to: path)
      }
    }
  }

  /// Writes a source: a folder with the file `contents`.
  ///
  /// In an existing folder that may be replaced, only this file is replaced.
  ///
  /// - Throws: the errors of ``write(_:to:overwriting:)``; `refused` if a file has that name.
  package static func write(
    _ source: SourceModel, to path: String, overwriting isOverwriting: Bool
  ) throws(CofferError) {
    try refuse(path, isOverwriting)
    if FileSync.isFolder(path) {
      return try write(source.contents, to: StorePaths.join(path, "contents"), overwriting: true)
    }
    guard !FileSync.exists(path) else {
      throw CofferError(
        .refused, path: path,
        detail: "a model source is a folder, but a file with this name exists",
        advice: "Choose another name.")
    }
    try place(at: path) { draft throws(CofferError) in
      guard mkdir(draft) else { throw FileSync.failure(draft) }
      try fill(StorePaths.join(draft, "contents"), source.contents)
      try FileSync.syncFolder(draft)
      try FileSync.move(draft, to: path)
    }
  }

  /// Checks before the work begins that a file which must not be replaced does not exist.
  ///
  /// - Throws: `CofferError` with `output-exists`; ``write(_:to:overwriting:)-([UInt8],_,_)`` checks
  ///   again.
  package static func requireRoom(
    at path: String, overwriting isOverwriting: Bool
  ) throws(CofferError) {
    if FileSync.isFolder(path) {
      throw CofferError(
        .refused, path: path, detail: "it is a folder", advice: "Choose another name.")
    }
    try refuse(path, isOverwriting)
  }

  private static func refuse(_ path: String, _ isOverwriting: Bool) throws(CofferError) {
    guard !isOverwriting, FileSync.exists(path) else { return }
    throw CofferError(
      .outputExists, path: path, detail: "it is replaced only on request",
      advice: .allowReplacing)
  }

  /// Fills a draft next to a path and moves it there; removes it if that fails.
  private static func place(
    at path: String, _ fill: (String) throws(CofferError) -> Void
  ) throws(CofferError) {
    let draft = try draft(of: path)
    do throws(CofferError) {
      try fill(draft)
      try FileSync.syncFolder(StorePaths.folder(of: path))
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      // Do not name the draft, which the user does not know.
      throw error.located(at: path)
    }
  }

  /// A hidden name next to a path, for incomplete output.
  private static func draft(of path: String) throws(CofferError) -> String {
    let folder = StorePaths.folder(of: path)
    guard FileSync.isFolder(folder) else {
      throw CofferError(
        .writeFailed, path: path, detail: "the folder \(folder) does not exist",
        advice: "Create the folder first.")
    }
    return StorePaths.join(folder, ".\(StorePaths.name(of: path)).coffer-\(UUID().uuidString)")
  }

  private static func mkdir(_ path: String) -> Bool {
    (try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false)) != nil
  }

  private static func fill(_ path: String, _ bytes: [UInt8]) throws(CofferError) {
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
      throw FileSync.failure(path)
    }
    try FileSync.syncFolder(path)
  }
}
