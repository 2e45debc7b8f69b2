internal import CoreDataModel
internal import POSIX

/// Stores without companions, which are read where they are, and watched.
extension SnapshotOpener {
  /// For how many nanoseconds a store in rollback mode has not been written when it is at rest.
  private static let restingTime: Int64 = 60_000_000_000

  /// Whether a store without companions may be read where it is.
  ///
  /// In rollback mode nothing tells whether an app has the store open, and who wants to write has to
  /// wait for the reading. An app that writes now and then should not: its store is copied.
  func mayReadAtRest(_ main: FileState, _ header: DatabaseHeader) -> Bool {
    if header.usesWAL { return true }
    return options.mayKeepWritersWaiting
      && main.hasRested(nanoseconds: Self.restingTime, now: SystemClock.fileNanoseconds)
  }

  /// Opens a store without companions where it is; nil when somebody has come in between.
  ///
  /// In rollback mode the lock keeps everybody from changing the file until the snapshot ends. In WAL
  /// mode SQLite would have to make companions for its own locks, so it is told that nobody changes
  /// the file, and ``ChangeDetector`` makes sure that nobody did.
  func openAtRest(
    _ state: FileState, _ header: DatabaseHeader, _ beginning: [UInt8]
  ) throws(CofferError) -> Opened? {
    let watch = try ChangeDetector(files, state, header: beginning, until: deadline)
    if header.usesWAL { StoreFiles.State(main: state).waitUntilSettled() }
    let uri = Self.readOnlyURI(files.main) + "&immutable=1"
    let opened: SQLiteConnection?
    do {
      opened = try openInPlace(uri, state)
    } catch {
      guard try watch.isUnchanged() else { return nil }
      throw error
    }
    // Whoever came before the lock was there may have left a part of the content elsewhere.
    guard let opened, try files.state().isAlone, try watch.isUnchanged() else { return nil }
    return Opened(
      connection: opened, folder: nil, header: header, main: state, watch: watch, fixedPath: uri)
  }
}
