internal import CoreDataModel
internal import POSIX

/// Puts a new store in the place of what cannot be brought to rest, or cannot share its support folder:
/// all of the old is moved into the hidden folder before anything of the new takes its place.
///
/// In between nothing stands at the target, which is better than a mix of two stores. The main file
/// goes first and comes last.
struct StepwiseReplacement {
  let folder: PlacementFolder
  let files: PlacementFiles
  private var target: StorePaths { folder.target }

  /// Does all of it.
  ///
  /// - Throws: `output-exists` where something appeared in between, `write-failed`; then
  ///   ``PlacementRecovery`` takes back what was done.
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
