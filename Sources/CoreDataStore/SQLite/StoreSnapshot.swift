package import CoreDataModel
internal import POSIX
internal import Synchronization

/// A store at one moment, open for reading; the store itself, its companions and its folder are not
/// touched.
///
/// It reads a store at rest as well as one that another process writes, with all that is in the
/// `-wal`; a transaction that a crash has left half done is rolled back in a private copy. All
/// reads see the same state. In WAL mode no writer is kept waiting; in rollback mode writers wait
/// for the time of a copy.
///
/// A snapshot in place keeps the app's checkpoints from finishing while it is open, like every
/// reader. See ``SnapshotOptions/Preference/copy`` for apps that open the same store themselves.
package final class StoreSnapshot: Sendable {
  /// How a store is read.
  package enum Method: Sendable, Hashable {
    case inPlace
    /// From a private copy in a temporary folder.
    case copy
  }

  /// How a store keeps its transactions.
  package enum JournalMode: Sendable, Hashable {
    /// With a write-ahead log, as Core Data does since iOS 7 and macOS 10.9.
    case wal
    case rollback
  }

  /// The absolute path of the store, without symbolic links.
  package let path: String
  /// How the store is read.
  package let method: Method
  /// The journal mode in the header of the main file.
  package let journalMode: JournalMode
  /// The number of missing bytes of the `-wal`, if that is tolerated; 0 if it is complete.
  package let missingLogBytes: Int64

  /// The size of a `-wal` that was left out; 0 for none.
  private let leftLogBytes: Int64
  /// Whether the content comes from a private copy that others keep.
  private let isCopyOfOthers: Bool
  private let options: SnapshotOptions
  private let connection: SQLiteConnection
  /// The opened main file, and its support folder.
  private let source: (main: FileState, support: FileState?)
  private let folder: Mutex<TemporaryFolder?>
  /// Detects changes of an idle store that is read in place; nil for all others.
  private let watch: ChangeDetector?
  /// How other connections read the same content; nil if they cannot.
  private let neighbors: SnapshotNeighbors?
  /// The number of frames in the log of a live writer before the snapshot began; nil if it is not known.
  private let frameCount: Int64?

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the path of the main file; a symbolic link is followed.
  ///   - options: how to open it.
  /// - Throws: `not-found`; `read-failed` for a folder and for missing permissions; `not-sqlite`
  ///   for a file that does not begin like a database; `not-a-core-data-store` for other databases;
  ///   `wal-missing` for a store without its `-wal`, if that can be known; `store-busy` if others
  ///   keep it locked, or write too fast, until the time is over; `cannot-copy` for a temporary
  ///   folder without space; `damaged-store`.
  package init(of path: String, options: SnapshotOptions = .init()) throws(CofferError) {
    // A copied state can be read even when the store is gone.
    let files = try options.content == nil ? DatabaseFiles(of: path) : DatabaseFiles(main: path)
    let opened = try Self.open(files, options)
    self.path = files.main
    self.options = options
    method = opened.folder == nil ? .inPlace : .copy
    journalMode = opened.header.usesWAL ? .wal : .rollback
    missingLogBytes = opened.missingLogBytes
    isCopyOfOthers = options.content != nil
    leftLogBytes = options.leavesLog ? try files.state().wal?.size ?? 0 : 0
    connection = opened.connection
    let support = StorePaths(store: files.main).supportFolder
    source = (opened.main, FileState(named: support))
    folder = Mutex(opened.folder)
    watch = opened.watch
    neighbors = opened.neighbors
    frameCount = opened.frameCount
    do throws(CofferError) {
      guard !options.isSalvage else {
        try checkSomeTable(files)
        return
      }
      if options.takesAnyDatabase { return }
      try checkTables(files)
      if namesAnotherStore(files), let error = foreignLogError() { throw error }
    } catch {
      throw Self.explained(error, files, options)
    }
  }

  private static func open(
    _ files: DatabaseFiles, _ options: SnapshotOptions
  ) throws(CofferError) -> SnapshotOpener.Opened {
    do {
      return try SnapshotOpener(files: files, options: options).open()
    } catch {
      // It may have gone since it was looked at.
      if error.code == .readFailed, let state = try? files.state(), state.main == nil {
        throw files.notFound
      }
      throw explained(error, files, options)
    }
  }

  deinit { close() }

  /// Passes the store to a closure, in the single read transaction of the snapshot.
  ///
  /// Statements must not outlive the closure. After ``close()`` every read fails.
  ///
  /// - Throws: errors from the closure; instead `store-busy` if a store that is read in place has
  ///   changed, so that the error is meaningless, and `wal-missing` if the store is damaged only by the log
  ///   of another one.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    do throws(E) {
      return try connection.use(body)
    } catch {
      if !(error is CancellationError), let changed = change as? E { throw changed }
      if let damage = error as? CofferError, damage.code == .damagedStore,
        damage.resultCode != nil, let cause = foreignLogError() as? E
      {
        throw cause
      }
      throw error
    }
  }

  /// The error for a changed store that is read in place; nil if it has not changed.
  private var change: CofferError? {
    do throws(CofferError) {
      try requireUnchanged()
      return nil
    } catch {
      return error
    }
  }

  /// Whether a store that changed while it was read can be read again from a copy: it must not be
  /// protected in place, and still be the same store.
  package var canBeCopiedInstead: Bool { watch != nil && (try? isInPlace()) == true }

  /// Checks that everything read so far is from one moment.
  ///
  /// It costs almost nothing, and nothing at all for a store protected by SQLite's locks or a
  /// private copy.
  ///
  /// - Throws: `store-busy` if a writer changed a store that is read in place.
  package func requireUnchanged() throws(CofferError) {
    guard let watch, try !watch.isUnchanged() else { return }
    throw CofferError(
      .storeBusy, path: path, detail: "it was changed while it was being read", advice: "Try again."
    )
  }

  /// Opens more connections to the same content, each for another thread.
  ///
  /// They must be closed before the snapshot is.
  ///
  /// - Returns: as many as could be opened; none if only the snapshot's own connection sees that
  ///   content.
  package func openConnections(upTo count: Int) -> [SQLiteConnection] {
    neighbors?.open(count) ?? []
  }

  /// Lets another connection read the same content as an attached database, for one transaction.
  ///
  /// - Parameters:
  ///   - database: the other connection, in a transaction that ends before the snapshot does.
  ///   - name: the name of the attached schema.
  /// - Throws: `store-busy` if a writer has changed the store since the snapshot began, or only the
  ///   snapshot's own connection sees its content; otherwise mapped from SQLite's result code.
  package func attach(to database: SQLiteDatabase, as name: String) throws(CofferError) {
    guard try neighbors?.attach(to: database, as: name) != true else { return }
    throw CofferError(
      .storeBusy, path: path, detail: "it was changed while it was being read", advice: "Try again."
    )
  }

  /// Passes the pages of the snapshot's state to a closure.
  ///
  /// - Returns: the result of the closure; nil if the files do not show which pages belong to the state.
  /// - Throws: `read-failed`; `store-busy` as ``requireUnchanged()``; errors from the closure.
  package func pages<T>(_ body: (SnapshotPages) throws -> T) throws -> T? {
    guard !isCopyOfOthers, !options.isSalvage, leftLogBytes == 0, missingLogBytes == 0 else {
      return nil
    }
    if let copy = folder.withLock({ $0?.store }) {
      return try SnapshotPages(copy, log: .all).map(body)
    }
    let files = DatabaseFiles(main: path)
    if watch != nil {
      let result = try SnapshotPages(files, log: .nothing).map(body)
      try requireUnchanged()
      return result
    }
    // Frames that were written and are in no index of the log yet belong to no state.
    guard let frameCount, let neighbors, neighbors.sawNoCommit,
      let result = try SnapshotPages(files, log: .frames(frameCount)).map(body)
    else { return nil }
    return neighbors.sawNoCommit ? result : nil
  }

  /// The identity of the files, equal at two times only if their content is; nil if that is not certain.
  ///
  /// - Throws: `read-failed`; `store-busy` as ``requireUnchanged()``.
  package func identity() throws(CofferError) -> ContentIdentity? {
    guard method == .inPlace, !isCopyOfOthers, !options.isSalvage, missingLogBytes == 0 else {
      return nil
    }
    let files = DatabaseFiles(main: path)
    if watch != nil {
      let identity = try ContentIdentity(files, hasLog: false)
      try requireUnchanged()
      return identity
    }
    let identity = try ContentIdentity(files, hasLog: true)
    return frameCount != nil && neighbors?.sawNoCommit == true ? identity : nil
  }

  /// Whether the list of tables was damaged, and mended in the private copy.
  package var hasMendedSchema: Bool { options.isSalvage && isCopyOfOthers }

  /// Ends the snapshot and removes its private copy; further calls do nothing.
  package func close() {
    // It fails only when a statement is still in use; then it closes with the last of them.
    try? connection.close()
    neighbors?.close()
    folder.withLock { $0 = nil }
    watch?.end()
  }

  /// Checks that the store's names still belong to the opened files: external files are found by
  /// name, and could be another store's.
  ///
  /// - Throws: `store-busy` when the main file or the support folder was replaced or removed, and as
  ///   ``requireUnchanged()``.
  package func requireInPlace() throws(CofferError) {
    guard try isInPlace() else {
      throw CofferError(
        .storeBusy, path: path, detail: "it was replaced or removed while it was being read",
        advice: "Try again.")
    }
    try requireUnchanged()
  }

  /// Whether the main file and the support folder are those that were opened.
  private func isInPlace() throws(CofferError) -> Bool {
    if isCopyOfOthers { return true }
    let main = try DatabaseFiles(main: path).mainState()
    let support = FileState(named: StorePaths(store: path).supportFolder)
    return main?.isSameFile(as: source.main) == true
      && (source.support == nil || source.support?.isSameFile(as: support) == true)
  }

  /// The error for a log that belongs to another store; nil if the store is no better without its log.
  ///
  /// It costs a copy and a check of the store, so it is for stores that are known to be damaged.
  package func foreignLogError() -> CofferError? {
    Self.foreignLogError(DatabaseFiles(main: path), options)
  }

  /// The defect of the write-ahead log; nil if all of it counts, if the rest was never committed,
  /// and if there is none.
  ///
  /// - Throws: `read-failed` when the log cannot be read.
  package func logDefect() throws(CofferError) -> LogDefect? {
    // A log that has come since is not read.
    if watch != nil { return nil }
    if leftLogBytes > 0 { return .foreign(byteCount: leftLogBytes) }
    let files = folder.withLock { $0?.store } ?? DatabaseFiles(main: path)
    guard let defect = try Self.logDefect(files) else { return nil }
    // Confirm by reading twice: a frame that is being written is incomplete.
    return try Self.logDefect(files) == defect ? defect : nil
  }

  private static func logDefect(_ files: DatabaseFiles) throws(CofferError) -> LogDefect? {
    guard let state = try files.state().wal, state.size > 0 else { return nil }
    do {
      return try WriteAheadLog(path: files.wal).defect()
    } catch {
      if try files.state().wal == nil { return nil }
      throw error
    }
  }

  /// Throws if none of the two tables that Core Data creates in every store exists, as far as the
  /// schema is readable.
  private func checkSomeTable(_ files: DatabaseFiles) throws(CofferError) {
    let (names, isWhole) = try use { database throws(CofferError) in
      try database.rowsUntilDamage("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    let ours: Set = ["Z_METADATA", "Z_PRIMARYKEY"]
    if names.contains(where: { ours.contains($0.first?.string ?? "") }) { return }
    guard isWhole else {
      throw CofferError(
        .damagedStore, path: path, detail: "its list of tables is mostly unreadable")
    }
    try requireLog(files, tableCount: names.count)
    throw notCoreData
  }

  /// Throws if a store without tables has lost its log.
  ///
  /// Core Data makes all tables in one transaction: none at all means that it is in the log.
  private func requireLog(_ files: DatabaseFiles, tableCount: Int) throws(CofferError) {
    guard tableCount == 0, journalMode == .wal, try files.state().wal?.size ?? 0 == 0 else {
      return
    }
    throw SnapshotOpener.walMissing(files, detail: "it has no tables, and its -wal file is missing")
  }

  private var notCoreData: CofferError {
    CofferError(
      .notCoreData, path: path, detail: "it has no tables Z_METADATA and Z_PRIMARYKEY",
      advice: "Only stores that Core Data or SwiftData wrote are supported.")
  }

  /// Throws if too few of the two tables that Core Data creates in every store exist.
  private func checkTables(_ files: DatabaseFiles) throws(CofferError) {
    let (tables, ours) = try use { database throws(CofferError) in
      let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
      return (
        try database.value(count)?.integer,
        try database.value(count + " AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")?.integer
      )
    }
    guard ours == 0 else { return }
    try requireLog(files, tableCount: Int(clamping: tables ?? 0))
    throw notCoreData
  }
}
