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
  let equalFiles: [ExactString: FileIdentity]
  /// The old store's files that the new one does not take over; nil if the new one has all of its own.
  let removedFiles: Set<ExactString>?
  private var target: StorePaths { folder.target }

  /// Does all of it.
  ///
  /// - Returns: false if it cannot be done in this way; ``PlacementRecovery`` then undoes what was
  ///   done.
  /// - Throws: `output-exists` if something appeared at the place of the store, `write-failed`.
  func run() throws(CofferError) -> Bool {
    guard
      let union = try SupportFolderMerge(
        new: folder.new.supportFolder, old: target.supportFolder, equal: equalFiles,
        removed: removedFiles)
    else { return false }
    let record = try PlacementRecord(.add, folder)
    try files.write(record.text, to: folder.record)
    try files.sync(folder.path)
    try files.sync(target.folder)
    guard try noteDropped(union), try add(union) else { return false }
    // What is left of them says nothing, or the store would not be at rest.
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
      if isFolder {
        try files.makeFolder(name)
      } else {
        try files.makeFolders(above: path, in: folder.dropped)
        guard try files.link("\(target.supportFolder)/\(path)", to: name) else { return false }
      }
    }
    return true
  }

  /// Links the new store's files into the support folder.
  private func add(_ union: SupportFolderMerge) throws(CofferError) -> Bool {
    guard try FileSync.look(at: folder.new.supportFolder) != nil else { return true }
    try files.makeFolder(target.supportFolder)
    for path in union.folders { try files.makeFolder("\(target.supportFolder)/\(path)") }
    for path in union.added {
      let isLinked = try files.link(
        "\(folder.new.supportFolder)/\(path)", to: "\(target.supportFolder)/\(path)")
      guard isLinked else { return false }
    }
    for path in union.folders { try files.sync("\(target.supportFolder)/\(path)") }
    try files.sync(target.supportFolder)
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
  /// The old store's files that the new one does not take over; nil if the new one has all of its own.
  let removedFiles: Set<ExactString>?
  private var target: StorePaths { folder.target }

  /// Does all of it.
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

  /// Gives the new store the old one's files: second names where possible, otherwise copies.
  private func takeOver(except removed: Set<ExactString>) throws(CofferError) {
    // A link to a folder elsewhere goes with the old store.
    guard FileSync.isFolder(target.supportFolder) else { return }
    // What an attempt in the other way says would take the files that get second names for added ones.
    try files.remove(folder.record)
    try files.sync(folder.path)
    for (path, identity) in try SupportFolderMerge.entries(target.supportFolder)
    where identity.kind == .file && !removed.contains(path) {
      let (source, name) = (
        "\(target.supportFolder)/\(path)", "\(folder.new.supportFolder)/\(path)"
      )
      if try FileSync.look(at: name) != nil { continue }
      try files.makeFolder(folder.new.supportFolder)
      try files.makeFolders(above: path, in: folder.new.supportFolder)
      if try !files.link(source, to: name) { try files.copy(source, to: name) }
    }
    try FileSync.syncTree(folder.new.folder)
  }
}
