internal import CoreDataModel
internal import POSIX

/// Puts a new store in its place so that one rename decides.
///
/// Before it the target is the old store, or nothing; after it the new one. Both find all their external
/// files at that moment.
/// The old store has to be at rest, see ``StoreQuiescence``.
struct AtomicReplacement {
  let folder: PlacementFolder
  let files: PlacementFiles
  /// External files of the same name that are known to have the same bytes.
  let equalFiles: [Name: FileState]
  /// The old store's files that the new one does not take over; nil if the new one brings all of
  /// its files.
  let removedFiles: Set<Name>?
  private var target: StorePaths { folder.target }

  /// Replaces the store.
  ///
  /// - Returns: false if this way is not possible; ``PlacementRecovery`` then undoes what was
  ///   done.
  /// - Throws: `output-exists` if something appeared at the place of the store, `write-failed`.
  func run() throws(CofferError) -> Bool {
    guard
      let union = try SupportFolderMerge(
        new: folder.new, old: target, equal: equalFiles, removed: removedFiles)
    else { return false }
    let record = try PlacementRecord(.add, folder)
    try files.write(record.text, to: folder.record)
    try files.sync(folder.path)
    try files.sync(target.folder)
    guard try noteDropped(union), try add(union) else { return false }
    // They are empty, because the store is at rest.
    for companion in target.companions { try files.remove(companion) }
    try files.sync(target.folder)
    if record.oldStore == nil {
      try files.moveWithoutReplacing(folder.new.store, to: target.store)
    } else {
      try files.move(folder.new.store, to: target.store)
    }
    return true
  }

  /// Links the files that the new store lacks, so that a later run knows which files to remove: the
  /// app may have added others by then.
  private func noteDropped(_ union: SupportFolderMerge) throws(CofferError) -> Bool {
    guard !union.dropped.isEmpty else { return true }
    try files.makeFolder(folder.dropped)
    for (path, isFolder) in union.dropped {
      let name = "\(folder.dropped)/\(path)"
      try files.makeFolders(above: path, in: folder.dropped)
      if isFolder {
        try files.makeFolder(name)
      } else {
        guard try files.link("\(target.folder)/\(path)", to: name) else { return false }
      }
    }
    return true
  }

  /// Links the new store's files into the folders of the store.
  private func add(_ union: SupportFolderMerge) throws(CofferError) -> Bool {
    for path in union.folders { try files.makeFolder("\(target.folder)/\(path)") }
    for path in union.added {
      let isLinked = try files.link("\(folder.new.folder)/\(path)", to: "\(target.folder)/\(path)")
      guard isLinked else { return false }
    }
    for path in union.folders.reversed() { try files.sync("\(target.folder)/\(path)") }
    return true
  }
}

/// Replaces a store that cannot be brought to rest, or cannot share its support folder: all of the
/// old store is moved to the hidden folder before anything of the new one replaces it.
///
/// In between, the target is nothing, which is better than a mixture of two stores. The main file
/// goes first and comes last.
struct StepwiseReplacement {
  let folder: PlacementFolder
  let files: PlacementFiles
  /// The old store's files that the new one does not take over; nil if the new one brings all of
  /// its files.
  let removedFiles: Set<Name>?
  private var target: StorePaths { folder.target }

  /// Replaces the store.
  ///
  /// - Throws: `output-exists` if something appeared in between, `write-failed`;
  ///   ``PlacementRecovery`` then undoes what was done.
  func run() throws(CofferError) {
    if let removedFiles { try takeOver(except: removedFiles) }
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
    for (path, aside) in zip(target.companions, folder.old.companions)
    where try FileSync.look(at: path) != nil {
      try files.move(path, to: aside)
    }
    for name in try SupportFolderMerge.folderNames(target) {
      try files.move("\(target.folder)/\(name)", to: "\(folder.old.folder)/\(name)")
    }
    try files.sync(folder.old.folder)
    try files.sync(target.folder)
    for name in try SupportFolderMerge.folderNames(folder.new) {
      try files.move("\(folder.new.folder)/\(name)", to: "\(target.folder)/\(name)")
      try files.sync(target.folder)
    }
    try files.moveWithoutReplacing(folder.new.store, to: target.store)
  }

  /// Gives the new store the old one's files: second names where possible, otherwise copies.
  private func takeOver(except removed: Set<Name>) throws(CofferError) {
    let entries = try SupportFolderMerge.entries(target)
    guard !entries.isEmpty else { return }
    // The record of an attempt in the other way would treat files that get second names as added.
    try files.remove(folder.record)
    try files.sync(folder.path)
    // A link in the place of a folder is removed with the old store.
    for (path, identity) in entries
    where identity.kind != .folder && path.utf8.contains(UInt8(ascii: "/"))
      && !removed.contains(Name(path))
    {
      let (source, name) = ("\(target.folder)/\(path)", "\(folder.new.folder)/\(path)")
      if try FileSync.look(at: name) != nil { continue }
      try files.makeFolders(above: path, in: folder.new.folder)
      if try !files.link(source, to: name) { try files.copy(source, to: name) }
    }
    try FileSync.syncTree(folder.new.folder)
  }
}
