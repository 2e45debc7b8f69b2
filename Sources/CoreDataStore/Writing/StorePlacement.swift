package import CoreDataModel
internal import Foundation
package import POSIX

/// Moves a fresh store to its place: it is built in its own folder next to the target, and moved
/// there only when it is complete.
///
/// The folder is hidden, and its name shows its purpose. If anything fails before ``commit()`` has
/// moved the new store, the target is unchanged and the folder is gone. The next placement at the
/// same target cleans up after a crash.
package final class StorePlacement {
  /// The target; a link to a store that is replaced is followed.
  package let target: StorePaths
  /// The path of the store while it is built.
  package var working: StorePaths { folder.new }
  /// Where every change of a commit passes.
  let files = PlacementFiles()
  let folder: PlacementFolder

  private let owned: OwnedFolder
  private let isReplacing: Bool
  private var equalFiles: [Name: FileState] = [:]
  private var removedFiles: Set<Name>?
  /// The state that the target must have when it is replaced; nil for any.
  private var expectedState: TargetState?
  /// Whether the new store has taken its place, or nothing more can be done.
  package private(set) var isDone = false

  /// The number of seconds to wait for others that change the folder of the target.
  private static let patience = 10.0

  /// Prepares to build a store, and cleans up after killed runs.
  ///
  /// - Parameters:
  ///   - path: the target.
  ///   - isReplacing: whether an existing store is replaced.
  ///   - other: where the store is built if the folder of the target cannot be written, for a store
  ///     that is never moved into place; nil to fail instead.
  /// - Throws: ``CofferError``: `output-exists` if the target, one of its companion files or its
  ///   support folder exists and is not to be replaced; `store-busy` if it is to be replaced and
  ///   someone has it open; `refused` if the support folder belongs to another store too, or the
  ///   target is not a file; `not-found` if its folder does not exist; `write-failed` if the
  ///   working folder cannot be created.
  package init(
    path: String, isReplacing: Bool, otherwiseIn other: String? = nil
  ) throws(CofferError) {
    target = try PlacementTarget.resolve(path, isReplacing: isReplacing)
    self.isReplacing = isReplacing
    try PlacementTarget.requireFolder(target)
    Self.settleLeftovers(of: target)
    try Self.checkAlone(target, isReplacing: isReplacing, isPlan: other != nil)
    owned = try Self.makeFolder(for: target, path, otherwiseIn: other)
    folder = PlacementFolder(path: owned.path, target: target)
    do {
      try FileManager.default.createDirectory(
        atPath: folder.new.folder, withIntermediateDirectories: false)
    } catch {
      throw Self.unwritable(path, target)
    }
  }

  private static func makeFolder(
    for target: StorePaths, _ path: String, otherwiseIn other: String?
  ) throws(CofferError) -> OwnedFolder {
    let prefix = PlacementFolder.prefix(of: target)
    do throws(SystemError) {
      return try OwnedFolder(in: target.folder, prefix: prefix)
    } catch {
      guard error.number != ENAMETOOLONG else {
        throw CofferError(
          .writeFailed, path: path,
          detail: "the name is too long for the hidden folder in which the store is built",
          advice: "Choose a name of at most 220 bytes.")
      }
      guard let other, [EACCES, EROFS, EPERM].contains(error.number) else {
        throw unwritable(path, target)
      }
      Leftovers.removeFolders(in: other, prefix: prefix)
      do throws(SystemError) {
        return try OwnedFolder(in: other, prefix: prefix)
      } catch {
        throw CofferError(
          .temporaryStorageFailed, path: other, detail: error.text, advice: .chooseTemporaryFolder)
      }
    }
  }

  /// The error for a target whose folder cannot be written.
  private static func unwritable(_ path: String, _ target: StorePaths) -> CofferError {
    if let advice = SystemAdvice.forTooFewFiles {
      return CofferError(
        .writeFailed, path: path, detail: "its folder cannot be opened", advice: advice)
    }
    return CofferError(
      .writeFailed, path: path, detail: "the folder \(target.folder) is not writable",
      advice: "Check that the folder exists and is writable, and that the disk is not full.")
  }

  deinit { abandon() }

  /// Removes the new store; does nothing after a commit.
  package func abandon() {
    guard !isDone, !files.isStopped else { return }
    isDone = true
    owned.remove()
  }

  /// Creates a place for an intermediate store, which is removed with the working folder.
  ///
  /// - Throws: ``CofferError`` with the code `write-failed` when no folder can be made.
  package func makeIntermediateStore(at number: Int) throws(CofferError) -> StorePaths {
    let path = "\(stations)\(number)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } catch {
      throw CofferError(
        .writeFailed, path: target.store, detail: "cannot create a folder in \(target.folder)",
        advice: "Check that the disk is not full.")
    }
    return StorePaths(store: StorePaths.join(path, target.name))
  }

  private var stations: String { StorePaths.join(folder.path, "station-") }

  /// The error with a path that the user knows instead of a hidden one: the target if it cannot be written.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - source: the path of the file that the store is made of.
  /// - Returns: the error.
  package func named(_ error: any Error, as source: String) -> any Error {
    guard var error = error as? CofferError,
      error.code == .writeFailed || error.place.path.contains(StorePaths.name(of: folder.path))
    else { return error }
    error.place.path = error.code == .writeFailed ? target.store : source
    return error
  }

  /// The size in bytes of the main file of the store that is being built.
  ///
  /// - Throws: ``CofferError`` with the code `write-failed` if it is not there.
  package func workingSize() throws(CofferError) -> Int {
    Int(clamping: try FileSync.look(at: working.store)?.size ?? 0)
  }

  /// A path in the hidden folder for something else that goes with the working folder.
  package func path(inWorkingFolder name: String) -> String { StorePaths.join(folder.path, name) }

  /// Removes an intermediate store.
  package func removeStation(_ station: StorePaths) {
    FileTree.remove(station.folder)
  }

  /// The state of the files of a target at one moment, to detect a later change.
  package struct TargetState: Sendable {
    fileprivate let files: DatabaseFiles.State

    /// Whether nothing changed from another moment to this one.
    package func holdsSameContent(as other: TargetState) -> Bool {
      files.holdsSameContent(as: other.files)
    }
  }

  /// The state of the files of the target, when a later change is certain to show.
  ///
  /// - Throws: ``CofferError`` if it cannot be determined.
  package func targetState() throws(CofferError) -> TargetState {
    let files = try DatabaseFiles(main: target.store).state()
    files.waitUntilSettled()
    return TargetState(files: files)
  }

  /// Checks that the target is as it should be.
  private func requireExpectedState() throws(CofferError) {
    guard let state = expectedState,
      try !DatabaseFiles(main: target.store).state().holdsSameContent(as: state.files)
    else { return }
    throw CofferError(
      .storeBusy, path: target.store, detail: "it was changed while its new content was prepared",
      advice: "Close the app that uses the store, and try again.")
  }

  /// Moves the finished store to its place, and the old store away.
  ///
  /// - Parameters:
  ///   - state: the state that the target must still have; nil for any.
  ///   - removed: the old store's external files that the new one does not take over, by their
  ///     paths as ``SupportFolder/File`` has them; nil if the new store brings all of its files.
  ///     Files that are taken over stay where they are.
  /// - Throws: ``CofferError``: `output-exists` if something appeared in the meantime, `store-busy`
  ///   if someone has the store open that is to be replaced, or others change the folder,
  ///   `write-failed` if a step fails; then the old store is back in its place. Only if that is
  ///   impossible too does the hidden folder remain, and the error names it.
  package func commit(
    ifStill state: TargetState? = nil, keepingFilesExcept removed: Set<Name>? = nil
  ) throws(CofferError) {
    removedFiles = removed.map { paths in
      paths.sorted().map { path in
        let components = path.utf8.split(separator: UInt8(ascii: "/"))
          .map { String(decoding: $0, as: UTF8.self) }
        return target.names(of: components).joined(separator: "/")
      }.names
    }
    expectedState = state
    try FileSync.syncTree(folder.path)
    equalFiles = SupportFolderMerge.equalFiles(new: folder.new, old: target)
    let lock = try Self.lock(target)
    defer { withExtendedLifetime(lock) {} }
    do throws(CofferError) {
      try PlacementTarget.check(target, isReplacing: isReplacing)
      let others = try SupportFolderMerge.removeSharedFiles(new: folder.new, old: target, files)
      if removed == nil { removedFiles = others }
      try place()
    } catch {
      throw takenBack(after: error)
    }
    isDone = true
    defer { if !files.isStopped { owned.remove() } }
    do throws(CofferError) {
      try files.sync(target.folder)
    } catch {
      if !files.isStopped { try? recovery.complete() }
      var failure = error
      failure.detail = "the store is in place, but may be lost in a power failure: \(error.detail)"
      throw failure
    }
    do throws(CofferError) {
      try recovery.complete()
    } catch {
      throw CofferError(
        error.code, path: error.place.path,
        detail: "the store is in place, but a file of the previous store remains: "
          + error.detail,
        advice: .listUnusedFiles)
    }
  }

  private var recovery: PlacementRecovery { PlacementRecovery(folder: folder, files: files) }

  private func place() throws(CofferError) {
    // Again with the store locked, before each time that something is written.
    try requireExpectedState()
    guard try FileSync.look(at: target.store) != nil else {
      var isFree = true
      for path in target.companions where try FileSync.look(at: path) != nil { isFree = false }
      return try place(canSwitch: isFree)
    }
    let isAtRest = try StoreQuiescence.attempt(target, watch)
    FileSync.restrict(folder.new.store, to: target.store)
    let old = try SourceFile(path: target.store, kind: .replaced)
    // From here on, no one else can open it.
    guard try !old.isLockedByOthers() else { throw PlacementTarget.busy(target) }
    try requireExpectedState()
    try place(canSwitch: isAtRest && StoreQuiescence.isReached(target))
    old.hold()
  }

  /// Sees to it that nothing but its log is written into a store whose state matters; nil for any other.
  private var watch: StoreQuiescence.Watch? {
    guard expectedState != nil else { return nil }
    return StoreQuiescence.Watch(
      before: { () throws(CofferError) in try self.requireExpectedState() },
      after: { () throws(CofferError) in self.expectedState = try self.targetState() })
  }

  private func place(canSwitch: Bool) throws(CofferError) {
    if canSwitch {
      let replacement = AtomicReplacement(
        folder: folder, files: files, equalFiles: equalFiles, removedFiles: removedFiles)
      if try replacement.run() { return }
      _ = try recovery.settle()
      FileTree.remove(folder.dropped)
    }
    try StepwiseReplacement(folder: folder, files: files, removedFiles: removedFiles).run()
  }

  /// Undoes the steps of a failed commit.
  private func takenBack(after error: CofferError) -> CofferError {
    guard !files.isStopped else { return error }
    if (try? recovery.settle()) == true { return error }
    isDone = true
    var error = error
    error.advice = [
      .sentence(
        "The previous store is in \(folder.old.folder). The next import to the same path restores "
          + "it.")
    ]
    return error
  }

  private static func lock(_ target: StorePaths) throws(CofferError) -> FolderLock {
    do {
      return try FolderLock(target.folder, .exclusive, waiting: patience)
    } catch {
      if error.isLocked {
        throw CofferError(
          .storeBusy, path: target.folder, detail: "another import is changing the folder",
          advice: "Try again when it has finished.")
      }
      throw FileSync.failure(target.folder, error)
    }
  }

  /// Checks that a store may be put there while no other import does the same.
  ///
  /// Two imports that look at the same time whether a store is in use take each other for its user.
  private static func checkAlone(
    _ target: StorePaths, isReplacing: Bool, isPlan: Bool
  ) throws(CofferError) {
    let lock = isReplacing && !isPlan ? try lock(target) : nil
    defer { withExtendedLifetime(lock) {} }
    try PlacementTarget.check(target, isReplacing: isReplacing, isPlan: isPlan)
  }

  /// Removes the leftovers of a process that was killed.
  package static func removeLeftovers(in places: [LeftoverPlaces.Place]) {
    for place in places {
      switch place.kind {
      case .files: Leftovers.removeFiles(in: place.folder, prefix: place.name)
      case .folders: Leftovers.removeFolders(in: place.folder, prefix: place.name)
      case .store:
        settleLeftovers(of: StorePaths(store: StorePaths.join(place.folder, place.name)))
      }
    }
  }

  /// Resolves and removes the leftovers of killed imports to a target; leftovers that cannot be resolved
  /// stay.
  static func settleLeftovers(of target: StorePaths, files: PlacementFiles = PlacementFiles()) {
    LeftoverPlaces.add(.init(kind: .store, folder: target.folder, name: target.name))
    Leftovers.removeFolders(
      in: target.folder, prefix: PlacementFolder.prefix(of: target),
      mayRemove: { path in
        guard let lock = try? lock(target) else { return false }
        defer { withExtendedLifetime(lock) {} }
        let folder = PlacementFolder(path: path, target: target)
        let mayRemove = try? PlacementRecovery(folder: folder, files: files).settle()
        return mayRemove == true && !files.isStopped
      })
  }
}
