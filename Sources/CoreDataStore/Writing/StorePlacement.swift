internal import Foundation

/// The way of a fresh store to its place: built in a folder of its own beside the target, and moved
/// there only when it is complete.
///
/// The folder is hidden and its name says what it is. Whatever goes wrong before ``commit()``, the
/// target is as it was and the folder is gone.
package final class StorePlacement {
  /// The target.
  package let target: StorePaths
  /// Where the store is built.
  package let working: StorePaths
  private let folder: String
  private let isReplacing: Bool
  private var isDone = false

  /// The beginning of the names of working folders.
  package static let folderPrefix = ".coffer-import-"

  /// Prepares the building of a store.
  ///
  /// - Parameters:
  ///   - path: the target.
  ///   - isReplacing: whether a store that is there is to be replaced.
  /// - Throws: ``StoreError``: `output-exists` when the target, one of its companions or its support
  ///   folder exists and is not to be replaced; `refused` when the support folder belongs to another
  ///   store too, or the target is a folder; `not-found` when its folder does not exist;
  ///   `write-failed` when the working folder cannot be made.
  package init(path: String, isReplacing: Bool) throws(StoreError) {
    target = StorePaths(store: path)
    self.isReplacing = isReplacing
    try Self.check(target, isReplacing: isReplacing)
    let unique = UUID().uuidString.prefix(8)
    folder = StorePaths.join(target.folder, "\(Self.folderPrefix)\(target.name)-\(unique)")
    working = StorePaths(store: StorePaths.join(folder, target.name))
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotWrite, place: path, detail: "the folder \(target.folder) cannot be written to",
        hint: "Check that the folder exists and may be written to, and that the disk is not full.")
    }
  }

  deinit { abandon() }

  /// Removes what was built; nothing happens after a commit.
  package func abandon() {
    guard !isDone else { return }
    isDone = true
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Moves the finished store to its place, and what was there out of it.
  ///
  /// - Throws: ``StoreError``: `output-exists` when something appeared in the meantime,
  ///   `write-failed` when a move fails; then what was there before is back in its place.
  package func commit() throws(StoreError) {
    try FileSync.syncTree(folder)
    if isReplacing {
      try replace()
    } else {
      try Self.check(target, isReplacing: false)
      let hasSupportFolder = FileSync.exists(working.supportFolder)
      if hasSupportFolder { try FileSync.move(working.supportFolder, to: target.supportFolder) }
      do throws(StoreError) {
        try FileSync.moveWithoutReplacing(working.store, to: target.store)
      } catch {
        // Only our own: a folder that somebody else has put there since is not ours to take away.
        if hasSupportFolder {
          try? FileSync.move(target.supportFolder, to: working.supportFolder)
        }
        throw error
      }
    }
    try FileSync.syncFolder(target.folder)
    isDone = true
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Makes sure that nobody has the store open that is to be replaced.
  ///
  /// An app that goes on writing to a file that was moved away loses what it writes.
  private static func requireUnused(_ store: StorePaths) throws(StoreError) {
    guard FileSync.exists(store.store), !FileSync.isFolder(store.store) else { return }
    let file: SourceFile
    do throws(StoreError) {
      file = try SourceFile(path: store.store, kind: .replaced)
    } catch {
      // A file that may not be written is nobody's to write: it can be moved away in peace.
      return
    }
    guard try file.isLockedByOthers() else { return }
    throw StoreError(
      .busy, place: store.store, detail: "it is open in another program, or in this one",
      hint: "Close the app that uses the store, then replace it.")
  }

  /// Sets what is there aside, moves the new store in, and takes all of it back if a step fails.
  private func replace() throws(StoreError) {
    try Self.requireUnused(target)
    var undo: [(from: String, to: String)] = []
    func move(_ from: String, _ to: String) throws(StoreError) {
      try FileSync.move(from, to: to)
      undo.append((from, to))
    }
    do throws(StoreError) {
      let aside = StorePaths.join(folder, "replaced")
      for (index, path) in (target.companions + [target.supportFolder]).enumerated()
      where FileSync.exists(path) {
        try move(path, "\(aside)-\(index)")
      }
      if FileSync.exists(target.store) { try move(target.store, "\(aside)-store") }
      if FileSync.exists(working.supportFolder) {
        try move(working.supportFolder, target.supportFolder)
      }
      try move(working.store, target.store)
    } catch {
      for (from, to) in undo.reversed() { try? FileSync.move(to, to: from) }
      throw error
    }
  }

  private static func check(_ target: StorePaths, isReplacing: Bool) throws(StoreError) {
    if FileSync.isFolder(target.store) {
      throw StoreError(
        .refused, place: target.store, detail: "it is a folder",
        hint: "Give the path of the store's file, such as \(target.store)/Store.sqlite.")
    }
    guard FileSync.isFolder(target.folder) else {
      throw StoreError(
        .notFound, place: target.folder, detail: "the store's folder does not exist",
        hint: "Make the folder first.")
    }
    let present = ([target.store, target.supportFolder] + target.companions)
      .filter(FileSync.exists)
    guard !present.isEmpty else { return }
    if FileSync.exists(target.supportFolder), let other = target.sharerOfSupportFolder() {
      throw StoreError(
        .refused, place: target.supportFolder,
        detail: "the folder belongs to the store \(other) too, which has the same base name",
        hint: "Give the store another base name.")
    }
    if isReplacing { return try requireUnused(target) }
    throw StoreError(
      .outputExists, place: present[0],
      detail: "there is something where the store would be written",
      hint: "Use --force to replace it.")
  }
}

extension StorePaths {
  /// The name of another store in the folder that has the same base name, or nil.
  ///
  /// Only names are looked at: opening a store by plain calls would drop the locks that this very
  /// process may hold on it.
  func sharerOfSupportFolder() -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().first { other in
      guard other != name, !Self.companionEndings.contains(where: other.hasSuffix) else {
        return false
      }
      let path = StorePaths.join(folder, other)
      return StorePaths(store: path).baseName == baseName && !FileSync.isFolder(path)
    }
  }
}
