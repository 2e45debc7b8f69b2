internal import CoreDataModel
internal import POSIX

/// Replaces a store that cannot be brought to rest, or cannot share its support folder: all of the
/// old store is moved to the hidden folder before anything of the new one replaces it.
///
/// In between, the target is nothing, which is better than a mixture of two stores. The main file
/// goes first and comes last.
struct StepwiseReplacement {
  let folder: PlacementFolder
  let files: PlacementFiles
  private var target: StorePaths { folder.target }

  /// Does all of it.
  ///
  /// - Throws: `output-exists` if something appeared in between, `write-failed`;
  ///   ``PlacementRecovery`` then undoes what was done.
  func run() throws(CofferError) {
    let record = try PlacementRecord(.exchange, folder)
    try files.makeFolder(folder.old.folder)
    try files.write(record.text, to: folder.record)
    try files.sync(folder.path)
    try files.sync(target.folder)
    if try FileSync.look(at: target.store) != nil {
      try files.move(target.store, to: folder.old.store)
      try files.sync(folder.old.folder)
      try files.sync(target.folder)
    }
    for (path, aside) in zip(
      target.companions + [target.supportFolder],
      folder.old.companions + [folder.old.supportFolder])
    where try FileSync.look(at: path) != nil {
      try files.move(path, to: aside)
    }
    try files.sync(folder.old.folder)
    try files.sync(target.folder)
    if try FileSync.look(at: folder.new.supportFolder) != nil {
      try files.move(folder.new.supportFolder, to: target.supportFolder)
      try files.sync(target.folder)
    }
    try files.moveWithoutReplacing(folder.new.store, to: target.store)
  }
}
