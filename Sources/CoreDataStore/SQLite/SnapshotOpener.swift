package import CoreDataModel
internal import POSIX
internal import Synchronization

/// Decides how a store can be read without touching it, and opens it.
package struct SnapshotOpener {
  struct Opened {
    let connection: SQLiteConnection
    /// The folder of the copy; nil in place.
    let folder: TemporaryFolder?
    let header: DatabaseHeader
    let main: FileState
    /// The number of missing bytes of the `-wal`, if that is tolerated; 0 if it is complete.
    var missingLogBytes: Int64 = 0
    /// The number of frames in the `-wal` of a store with a live writer, before the snapshot began; nil if it
    /// is not known.
    var frameCount: Int64?
    /// Detects changes of a store that is read without SQLite's locks; nil for others.
    var watch: ChangeDetector?
    /// Opens other connections to the same content; nil if that is not possible.
    var neighbors: SnapshotNeighbors?
  }

  /// How often a copy is tried before a store counts as busy, however long that takes.
  private static let fewestAttempts = 3

  /// Keeps snapshots of this process from opening a `-shm` through SQLite while another one reads
  /// its header, see ``SharedMemoryHeader/read(_:)``.
  private static let sharedMemory = Mutex(())

  let files: DatabaseFiles
  let options: SnapshotOptions
  let deadline: Double

  /// Prepares the opening; nothing is read yet.
  package init(files: DatabaseFiles, options: SnapshotOptions) {
    self.files = files
    self.options = options
    deadline = SystemClock.monotonicSeconds + options.busyTimeout
  }

  /// Opens a connection that reads.
  ///
  /// The shared lock on the main file is held throughout. It prevents writers in rollback mode from
  /// committing, and all processes from changing the journal mode or removing the companions: the last
  /// connection that closes would need exclusive access to the file. It does not hinder a writer in WAL
  /// mode.
  func open() throws(CofferError) -> Opened {
    if let content = options.content { return try open(content: content) }
    var attempt = 0
    while attempt < Self.fewestAttempts || SystemClock.monotonicSeconds < deadline {
      guard let identity = try files.state().main else { throw files.notFound }
      let main = try SourceFile(path: files.main, kind: .main)
      try main.lockShared(until: deadline)
      let beginning = try main.bytes(at: 0, count: ForeignFile.prefixSize)
      let header = try DatabaseHeader(beginning, place: files.main)
      repeat {
        attempt += 1
        let state = try files.state()
        // A store that was replaced meanwhile has to be opened again.
        guard let now = state.main, now.isSameFile(as: identity) else { break }
        let prefersCopy = options.isSalvage || (options.preference == .copy && attempt == 1)
        if state.isAlone, !prefersCopy, mayReadAtRest(now, header),
          let opened = try openAtRest(now, header, Array(beginning.prefix(DatabaseHeader.length)))
        {
          return opened
        }
        if let opened = try open(main, header, state, prefersCopy: prefersCopy) { return opened }
      } while attempt < Self.fewestAttempts || SystemClock.monotonicSeconds < deadline
    }
    throw busy
  }

  private var busy: CofferError {
    CofferError(
      .storeBusy, path: files.main, detail: "it is written too often to take a copy",
      advice: "Close the app that uses the store, or try again.")
  }

  /// Opens an existing private copy.
  private func open(content: String) throws(CofferError) -> Opened {
    guard let main = try DatabaseFiles(main: content).mainState() else { throw files.notFound }
    let beginning = try SourceFile(path: content, kind: .main)
      .bytes(at: 0, count: ForeignFile.prefixSize)
    let header = try DatabaseHeader(beginning, place: files.main)
    let uri = Self.readOnlyURI(content) + ReadAhead.parameters
    let connection = try SQLiteConnection(
      path: options.isSalvage ? content : uri,
      access: options.isSalvage ? .salvaging : .reading, place: files.main,
      answersQueries: options.answersQueries)
    try begin(connection)
    return Opened(
      connection: connection, folder: options.contentFolder, header: header, main: main,
      neighbors: options.isSalvage ? nil : SnapshotNeighbors(path: uri, place: files.main))
  }

  /// Takes a private copy, even of a badly damaged store; throws as ``open()``.
  package func takeCopy() throws(CofferError) -> TemporaryFolder {
    var attempt = 0
    repeat {
      attempt += 1
      let main = try SourceFile(path: files.main, kind: .main)
      try main.lockShared(until: deadline)
      let state = try files.state()
      let journal = try RollbackJournal(of: files, main: main)
      let copy = StoreCopy(
        files: files, state: state, journal: journal, isLogged: state.wal != nil,
        leavesLog: options.leavesLog)
      if let folder = try copy.take(main, in: options.temporaryFolder) { return folder }
    } while attempt < Self.fewestAttempts || SystemClock.monotonicSeconds < deadline
    throw busy
  }

  /// One attempt to open the store; nil if another process interfered.
  private func open(
    _ main: borrowing SourceFile, _ header: DatabaseHeader, _ state: DatabaseFiles.State,
    prefersCopy: Bool
  ) throws(CofferError) -> Opened? {
    let journal = try RollbackJournal(of: files, main: main)
    // SQLite reads an existing -wal, regardless of the header.
    let isLogged = header.usesWAL || state.wal != nil
    guard let source = state.main else { return nil }
    let missingLogBytes = isLogged && !options.leavesLog ? try checkFrames(state) : 0
    if isLogged, journal == .none, !prefersCopy, mayOpenInPlace(state) {
      let uri = Self.readOnlyURI(files.main)
      let frameCount = Self.sharedMemory.withLock { _ in
        SharedMemoryHeader.read(files.sharedMemory)?.frameCount
      }
      // Opened first, since it has to notice commits after the snapshot has started.
      let witness = Self.sharedMemory.withLock { _ in CommitWitness(path: uri, files: files) }
      if let connection = try openInPlace(uri, source) {
        return Opened(
          connection: connection, folder: nil, header: header, main: source,
          missingLogBytes: missingLogBytes, frameCount: frameCount,
          neighbors: witness.map { SnapshotNeighbors(path: uri, place: files.main, witness: $0) })
      }
    }
    let copy = StoreCopy(
      files: files, state: state, journal: journal, isLogged: isLogged, leavesLog: options.leavesLog
    )
    guard let folder = try copy.take(main, in: options.temporaryFolder) else { return nil }
    if options.isSalvage, let byteCount = header.byteCount {
      FileNames.extend(folder.store.main, to: byteCount)
    }
    let connection = try openCopy(
      folder, hasLog: state.wal != nil && !options.leavesLog && journal == .none)
    return Opened(
      connection: connection, folder: folder, header: header, main: source,
      missingLogBytes: missingLogBytes,
      neighbors: options.isSalvage
        ? nil : SnapshotNeighbors(path: folder.store.main, place: files.main))
  }

  /// Whether SQLite can read the store without changing anything.
  ///
  /// Otherwise it would create a missing companion, and for root, it would give the companions the owner of
  /// the main file.
  private func mayOpenInPlace(_ state: DatabaseFiles.State) -> Bool {
    guard let main = state.main, let wal = state.wal, let shared = state.sharedMemory else {
      return false
    }
    guard ProcessFacts.isRoot else { return true }
    return [wal, shared].allSatisfy { $0.owner == main.owner && $0.group == main.group }
  }

  /// Opens the store in place; nil if that does not work at the moment.
  ///
  /// With a live writer, SQLite reads under its own locks. If no one has the store open, it builds
  /// the index of the log in memory, and notices a later writer.
  func openInPlace(_ uri: String, _ before: FileState) throws(CofferError) -> SQLiteConnection? {
    do {
      let connection = try Self.sharedMemory.withLock { _ throws(CofferError) in
        let connection = try SQLiteConnection(
          path: uri, access: .reading, place: files.main, busyTimeout: remainingSeconds,
          answersQueries: options.answersQueries)
        try begin(connection)
        return connection
      }
      // A store that was replaced meanwhile is examined again.
      guard let now = try files.mainState(), now.isSameFile(as: before) else { return nil }
      return connection
    } catch {
      if error.code == .damagedStore || error.code == .notSQLite { throw error }
      return nil
    }
  }

  private func openCopy(
    _ folder: TemporaryFolder, hasLog: Bool
  ) throws(CofferError) -> SQLiteConnection {
    // With a log it is opened for reading, so that closing does not checkpoint it; all others for
    // writing: to be rolled back, or because macOS does not open them otherwise.
    let connection = try SQLiteConnection(
      path: folder.store.main,
      access: options.isSalvage ? .salvaging : hasLog ? .reading : .recovering, place: files.main,
      busyTimeout: remainingSeconds, answersQueries: options.answersQueries)
    try begin(connection)
    return connection
  }

  private func begin(_ connection: SQLiteConnection) throws(CofferError) {
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA query_only = ON")
      try database.run("BEGIN")
      // The transaction begins with the first read.
      _ = try database.value(
        options.isSalvage
          ? "SELECT 1 FROM sqlite_schema LIMIT 1" : "SELECT count(*) FROM sqlite_schema")
    }
  }

  /// Throws `wal-missing` if the `-shm` lists frames that do not exist.
  ///
  /// - Returns: the number of missing bytes, if that is tolerated.
  private func checkFrames(_ state: DatabaseFiles.State) throws(CofferError) -> Int64 {
    guard state.sharedMemory != nil,
      let first = try missingFrames(), let second = try missingFrames(),
      // Confirm by reading twice: while a program writes, the two files are not from the same
      // moment.
      first == second
    else { return 0 }
    guard !options.toleratesMissingFrames else { return first.needed - first.size }
    var error = Self.walMissing(
      files, detail: "its -wal file should have \(first.needed) bytes, but has \(first.size)")
    error.advice.append(.salvageStore)
    throw error
  }

  /// The size that the `-wal` should have and its size, when it is too short; nil otherwise.
  private func missingFrames() throws(CofferError) -> (needed: Int64, size: Int64)? {
    let header = Self.sharedMemory.withLock { _ in SharedMemoryHeader.read(files.sharedMemory) }
    guard let needed = header?.walLength else { return nil }
    let size = try files.state().wal?.size ?? 0
    return size < needed ? (needed, size) : nil
  }

  /// The error for a store whose log is missing.
  static func walMissing(_ files: DatabaseFiles, detail: String) -> CofferError {
    let name = files.wal.lastIndex(of: "/").map { files.wal[files.wal.index(after: $0)...] }
    return CofferError(
      .walMissing, path: files.main, detail: detail,
      advice:
        "Copy \(name ?? files.wal[...]) from where the store came from to the folder of the store.")
  }

  /// The remaining time to wait, within SQLite's limits.
  private var remainingSeconds: Double {
    min(max(0.1, deadline - SystemClock.monotonicSeconds), 86_400)
  }

  /// The name that makes SQLite open a file without writing its `-shm`.
  package static func readOnlyURI(_ path: String) -> String {
    uri(path) + "?mode=ro&readonly_shm=1"
  }

  /// The URI of a file for SQLite (<https://sqlite.org/uri.html>).
  static func uri(_ path: String) -> String {
    let plain = PercentEncoding.encode(path) { byte in
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: PercentEncoding.isAlphanumeric(byte)
      }
    }
    // With an empty host: two slashes at the beginning of a path would name one.
    return (path.hasPrefix("/") ? "file://" : "file:") + plain
  }
}
