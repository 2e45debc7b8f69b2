internal import CoreDataModel
internal import POSIX

/// Brings an unused store to rest: afterwards its main file contains everything, and its remaining
/// companion files are meaningless.
///
/// Only then can another main file take its place by one rename: a `-wal` or a hot `-journal` would be
/// applied to any file with the name.
enum StoreQuiescence {
  /// Examines a store while no one else can change it.
  struct Watch {
    /// Called before anything is written; if it throws, the error is passed on.
    var before: () throws(CofferError) -> Void
    /// Called when everything is written.
    var after: () throws(CofferError) -> Void
  }

  /// Lets SQLite roll an unfinished transaction back, and write its log into the store.
  ///
  /// The content of the store does not change. Nothing is done that could lose part of it: if the
  /// log is damaged, or a journal belongs to several databases, the store stays unchanged.
  ///
  /// - Returns: whether the store is at rest.
  static func attempt(_ store: StorePaths, _ watch: Watch? = nil) throws(CofferError) -> Bool {
    if isReached(store) { return true }
    guard (try? mayBeOpened(store, rollingBack: watch == nil)) == true else { return false }
    var objection: CofferError?
    func ask(_ look: (() throws(CofferError) -> Void)?) throws(CofferError) {
      do throws(CofferError) {
        try look?()
      } catch {
        objection = error
        throw error
      }
    }
    do throws(CofferError) {
      let connection = try SQLiteConnection(path: store.store, access: .writing, busyTimeout: 0.1)
      defer { try? connection.close() }
      try connection.use { database throws(CofferError) in
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA synchronous = FULL")
        // From the first transaction until the connection is closed, no one else can open the store.
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        try database.run("BEGIN EXCLUSIVE")
        do throws(CofferError) {
          try ask(watch?.before)
        } catch {
          try? database.run("ROLLBACK")
          throw error
        }
        try database.run("COMMIT")
        _ = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
        try ask(watch?.after)
      }
      // Closing the last connection removes the log.
      try connection.close()
    } catch {
      if let objection { throw objection }
      return false
    }
    return isReached(store)
  }

  /// Whether no companion holds anything.
  static func isReached(_ store: StorePaths) -> Bool {
    let files = DatabaseFiles(main: store.store)
    for path in store.companions {
      let found: FileState?
      do throws(CofferError) { found = try FileSync.look(at: path) } catch { return false }
      guard let identity = found else { continue }
      guard identity.kind == .file else { return false }
      if path == files.wal, identity.size > 0 { return false }
      if path == files.journal, !RollbackJournal.saysNothing(files) { return false }
    }
    return true
  }

  /// Whether SQLite can be trusted to bring it to rest without loss, by rolling back only where that is
  /// allowed.
  private static func mayBeOpened(
    _ store: StorePaths, rollingBack rollsBack: Bool
  ) throws(CofferError) -> Bool {
    let files = DatabaseFiles(main: store.store)
    let main = try SourceFile(path: store.store, kind: .main)
    _ = try DatabaseHeader(main.bytes(at: 0, count: DatabaseHeader.length), place: store.store)
    let state = try files.state()
    // A journal that names a super-journal makes SQLite look after that file, and remove it.
    if case .hot(let length) = try RollbackJournal(of: files, main: main),
      !rollsBack || length != state.journal?.size
    {
      return false
    }
    guard let wal = state.wal, wal.size > 0 else { return true }
    return try WriteAheadLog(path: files.wal).defect() == nil
  }
}
