internal import OwnedFiles

/// Settles a commit that was not completed: of this run, because a step failed, or of one that was
/// killed.
///
/// It goes by what is there, changes only what is known to be that commit's own, and can itself be
/// killed and run again. The folder of the target has to be locked.
struct PlacementRecovery {
  let folder: PlacementFolder
  let files: PlacementFiles
  private var target: StorePaths { folder.target }

  /// Completes a commit whose new store is in its place, and takes back every other one.
  ///
  /// - Returns: whether the hidden folder may be removed; otherwise it holds the old store, whose place
  ///   somebody else has taken.
  /// - Throws: `write-failed` where a step fails; then the hidden folder has to stay.
  func settle() throws(StoreError) -> Bool {
    guard let record = PlacementRecord(of: folder) else { return !folder.holdsOldStore }
    let standing = FileIdentity(of: target.store)?.inode
    if standing == record.newStore {
      complete()
      return true
    }
    // Whoever has put another store there since knows its external files; we do not.
    guard FileIdentity(of: folder.new.store)?.inode == record.newStore,
      standing == record.oldStore || standing == nil
    else { return !folder.holdsOldStore }
    switch record.way {
    case .add: try takeBackAdded()
    case .exchange: try moveBack(record)
    }
    return !folder.holdsOldStore
  }

  /// Removes the external files that the new store does not have; what cannot be removed is an orphan
  /// that harms nobody.
  func complete() {
    guard let entries = try? FileTree.entries(below: folder.dropped) else { return }
    for (path, identity) in entries where identity.kind != .folder {
      let file = "\(target.supportFolder)/\(path)"
      if identity.isSameFile(as: FileIdentity(of: file)) { try? files.remove(file) }
    }
    for (path, identity) in entries.reversed() where identity.kind == .folder {
      try? files.remove("\(target.supportFolder)/\(path)")
    }
    if !FileSync.exists(folder.new.supportFolder) { try? files.remove(target.supportFolder) }
  }

  /// Removes the files that were added to the support folder, and the folders that are empty then.
  private func takeBackAdded() throws(StoreError) {
    guard FileIdentity(of: folder.new.supportFolder)?.kind == .folder,
      let entries = try? FileTree.entries(below: folder.new.supportFolder)
    else { return }
    for (path, identity) in entries where identity.kind != .folder {
      let file = "\(target.supportFolder)/\(path)"
      if identity.isSameFile(as: FileIdentity(of: file)) { try files.remove(file) }
    }
    // A folder in which there is something else stays.
    for (path, identity) in entries.reversed() where identity.kind == .folder {
      try? files.remove("\(target.supportFolder)/\(path)")
    }
    try? files.remove(target.supportFolder)
  }

  /// Moves the old store back, the main file last.
  private func moveBack(_ record: PlacementRecord) throws(StoreError) {
    if let support = record.newSupport, FileIdentity(of: target.supportFolder)?.inode == support {
      try files.move(target.supportFolder, to: folder.new.supportFolder)
    }
    for (aside, path) in zip(
      folder.old.companions + [folder.old.supportFolder],
      target.companions + [target.supportFolder])
    where FileSync.exists(aside) {
      guard !FileSync.exists(path) else { return }
      try files.move(aside, to: path)
    }
    if let old = FileIdentity(of: folder.old.store) {
      if old.isSameFile(as: FileIdentity(of: target.store)) {
        return try files.remove(folder.old.store)
      }
      try files.sync(target.folder)
      try files.moveWithoutReplacing(folder.old.store, to: target.store)
    }
    try files.sync(target.folder)
  }
}
