internal import CoreDataModel
internal import POSIX

/// Settles a commit that was not completed: of this run, because a step failed, or of one that was
/// killed.
///
/// It relies on the actual files, changes only files known to belong to that commit, and can
/// itself be killed and repeated. The folder of the target must be locked.
struct PlacementRecovery {
  let folder: PlacementFolder
  let files: PlacementFiles
  private var target: StorePaths { folder.target }

  /// Completes a commit whose new store is in its place, and takes back every other one.
  ///
  /// - Returns: whether the hidden folder may be removed; otherwise it contains the old store,
  ///   whose place someone else has taken.
  /// - Throws: `write-failed` where a step fails; then the hidden folder has to stay.
  func settle() throws(CofferError) -> Bool {
    guard let record = PlacementRecord(of: folder) else { return !folder.holdsOldStore }
    let standing = try FileSync.look(at: target.store)?.inode
    if standing == record.newStore {
      try complete()
      return true
    }
    // The program that has since put another store there knows its external files; coffer does not.
    guard try FileSync.look(at: folder.new.store)?.inode == record.newStore,
      standing == record.oldStore || standing == nil
    else { return !folder.holdsOldStore }
    switch record.way {
    case .add: try takeBackAdded()
    case .exchange: try moveBack(record)
    }
    return !folder.holdsOldStore
  }

  /// Removes the external files that the new store does not have.
  ///
  /// A file that cannot be removed is a harmless orphan; the rest is removed anyway.
  ///
  /// - Throws: `write-failed` for the first that cannot be removed.
  func complete() throws(CofferError) {
    guard try FileSync.look(at: folder.dropped) != nil else {
      return try removeEmptySupportFolder()
    }
    let entries = try FileSync.entries(below: folder.dropped)
    var failure: CofferError?
    for (path, identity) in entries where identity.kind != .folder {
      let file = "\(target.folder)/\(path)"
      do throws(CofferError) {
        if identity.isSameFile(as: try FileSync.look(at: file)) { try files.remove(file) }
      } catch {
        failure = failure ?? error
      }
    }
    for (path, identity) in entries.reversed() where identity.kind == .folder {
      try? files.remove("\(target.folder)/\(path)")
    }
    if let failure { throw failure }
    try removeEmptySupportFolder()
  }

  private func removeEmptySupportFolder() throws(CofferError) {
    // A folder with other content stays.
    if try FileSync.look(at: folder.new.supportFolder) == nil,
      try FileSync.look(at: target.supportFolder)?.kind == .folder
    {
      try? files.remove(target.supportFolder)
    }
  }

  /// Removes the files that were added to the store's folders, and the folders that are empty then.
  private func takeBackAdded() throws(CofferError) {
    let entries = try SupportFolderMerge.entries(folder.new)
    for (path, identity) in entries where identity.kind != .folder {
      let file = "\(target.folder)/\(path)"
      if identity.isSameFile(as: try FileSync.look(at: file)) { try files.remove(file) }
    }
    // A folder with other content stays.
    for (path, identity) in entries.reversed() where identity.kind == .folder {
      try? files.remove("\(target.folder)/\(path)")
    }
  }

  /// Moves the old store back, the main file last.
  private func moveBack(_ record: PlacementRecord) throws(CofferError) {
    for name in try SupportFolderMerge.folderNames(target) {
      let path = "\(target.folder)/\(name)"
      if let inode = try FileSync.look(at: path)?.inode, record.newFolders.contains(inode) {
        try files.move(path, to: "\(folder.new.folder)/\(name)")
      }
    }
    let names = target.companions.map(StorePaths.name)
    for name in try names + SupportFolderMerge.folderNames(folder.old)
    where try FileSync.look(at: "\(folder.old.folder)/\(name)") != nil {
      let path = "\(target.folder)/\(name)"
      guard try FileSync.look(at: path) == nil else { return }
      try files.move("\(folder.old.folder)/\(name)", to: path)
    }
    if let old = try FileSync.look(at: folder.old.store) {
      if old.isSameFile(as: try FileSync.look(at: target.store)) {
        return try files.remove(folder.old.store)
      }
      try files.sync(target.folder)
      try files.moveWithoutReplacing(folder.old.store, to: target.store)
    }
    try files.sync(target.folder)
  }
}
