internal import CoreDataModel
internal import POSIX

/// Stores without companion files, which are read in place and watched.
extension SnapshotOpener {
  /// The number of nanoseconds without a write after which a store in rollback mode counts as idle.
  private static let restingTime: Int64 = 60_000_000_000

  /// Whether a store without companion files may be read in place.
  ///
  /// In rollback mode, nothing shows whether an app has the store open, and a writer has to wait
  /// for the reader. To spare an app that writes now and then, its store is copied.
  func mayReadAtRest(_ main: FileState, _ header: DatabaseHeader) -> Bool {
    if header.usesWAL || files.isBeingBuilt { return true }
    return options.mayKeepWritersWaiting
      && main.hasRested(nanoseconds: Self.restingTime, now: SystemClock.fileNanoseconds)
  }

  /// Opens a store without companion files in place; nil if another process interfered.
  ///
  /// In rollback mode, the lock prevents everyone from changing the file until the snapshot ends.
  /// In WAL mode, SQLite would have to create companion files for its own locks, so the connection
  /// declares that no one changes the file, and ``ChangeDetector`` checks that no one did.
  func openAtRest(
    _ state: FileState, _ header: DatabaseHeader, _ beginning: [UInt8]
  ) throws(CofferError) -> Opened? {
    let watch = try ChangeDetector(files, state, header: beginning, until: deadline)
    if header.usesWAL { DatabaseFiles.State(main: state).waitUntilSettled() }
    let uri = Self.readOnlyURI(files.main) + ReadAhead.parameters
    let opened: SQLiteConnection?
    do {
      opened = try openInPlace(uri, state)
    } catch {
      guard try watch.isUnchanged() else { return nil }
      throw error
    }
    // A process that used the store before the lock may have left part of the content elsewhere.
    guard let opened, try files.state().isAlone, try watch.isUnchanged() else { return nil }
    return Opened(
      connection: opened, folder: nil, header: header, main: state, watch: watch,
      neighbors: SnapshotNeighbors(path: uri, place: files.main))
  }
}
