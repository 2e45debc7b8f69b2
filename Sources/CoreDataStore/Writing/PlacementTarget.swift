internal import CoreDataLayout
internal import CoreDataModel
internal import Foundation
internal import POSIX

/// The possible states of a target.
enum PlacementTarget {
  /// The files of the target.
  ///
  /// A link is followed if the store that it leads to is to be replaced: its companion files and
  /// support folder are at its target, and the link keeps pointing to the store.
  ///
  /// - Throws: `refused` for a dangling link.
  static func resolve(_ path: String, isReplacing: Bool) throws(CofferError) -> StorePaths {
    guard isReplacing, FileState(named: path)?.kind == .link else {
      return StorePaths(store: path)
    }
    do {
      return StorePaths(store: try FileNames.resolve(path))
    } catch {
      throw CofferError(
        .refused, path: path, detail: "it is a broken symbolic link",
        advice: "Remove the link, or give the path of the store itself.")
    }
  }

  /// Throws `not-found` if the folder of the target does not exist.
  static func requireFolder(_ target: StorePaths) throws(CofferError) {
    guard FileSync.isFolder(target.folder) else {
      throw CofferError(
        .writeFailed, path: target.folder, detail: "the store's folder does not exist",
        advice: "Create the folder first.")
    }
  }

  /// Checks that a store may be put there.
  ///
  /// A plan never replaces the store, so that others may have it open and it may be read-only.
  static func check(
    _ target: StorePaths, isReplacing: Bool, isPlan: Bool = false
  ) throws(CofferError) {
    if FileSync.isFolder(target.store) {
      throw CofferError(
        .refused, path: target.store, detail: "it is a folder",
        advice: .sentence(
          "Give the path of the store's file, such as "
            + "\(StorePaths.join(target.store, "Store.sqlite"))."))
    }
    try requireFolder(target)
    let folders = try SupportFolderMerge.folderNames(target)
    var present: [String] = []
    for path in [target.store] + folders.map({ StorePaths.join(target.folder, $0) })
      + target.companions
    where try isTaken(path) {
      present.append(path)
    }
    guard !present.isEmpty else { return }
    if let shared = folders.first(where: target.isSharedFolder), let other = target.sharer() {
      throw CofferError(
        .refused, path: StorePaths.join(target.folder, shared),
        detail: "the folder is shared with the store \(other), which has the same base name",
        advice: "Choose another base name for the store.")
    }
    if isReplacing {
      try SupportFolder(of: target, isLocked: true).requireComplete()
      return isPlan ? () : try requireUnused(target)
    }
    throw CofferError(
      .outputExists, path: present[0],
      detail: "a file or folder already exists at the store's path",
      advice: .allowReplacing)
  }

  /// Whether something is in the way; a folder without any file is not.
  private static func isTaken(_ path: String) throws(CofferError) -> Bool {
    try FileSync.look(at: path) != nil && !SupportFolderMerge.isEmpty(path)
  }

  /// Checks that no other process has the store to be replaced open.
  ///
  /// An app that continues to write to a file that was moved away loses its changes.
  private static func requireUnused(_ store: StorePaths) throws(CofferError) {
    guard let identity = try FileSync.look(at: store.store) else { return }
    guard identity.kind == .file else {
      throw CofferError(.refused, path: store.store, detail: "it is not a regular file")
    }
    let file = try SourceFile(path: store.store, kind: .replaced)
    guard try file.isLockedByOthers() else { return }
    throw busy(store)
  }

  static func busy(_ store: StorePaths) -> CofferError {
    CofferError(
      .storeBusy, path: store.store, detail: "it is open in another program, or in this one",
      advice: "Close the app that uses the store, then replace it.")
  }
}

extension StorePaths {
  /// Whether a companion folder belongs to all stores with the same base name.
  func isSharedFolder(_ name: String) -> Bool {
    name == supportFolderName
      || CompanionFolder.all.contains { $0.isShared && $0.name(baseName, self.name) == name }
  }

  /// The name of another store in the folder that has the same base name, or nil.
  ///
  /// A report or an archive is not a store, although it has the base name of one. A file that cannot be read
  /// may be a store.
  func sharer() -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().first { other in
      guard other != name, !Self.companionEndings.contains(where: other.hasSuffix) else {
        return false
      }
      let path = StorePaths.join(folder, other)
      guard StorePaths(store: path).baseName == baseName, let file = try? FileNames.resolve(path),
        FileState(named: file)?.kind == .file
      else { return false }
      return (try? FileSignature.isDatabase(fileAt: file)) ?? true
    }
  }
}
