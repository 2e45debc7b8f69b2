internal import CoreDataModel
internal import POSIX

/// Brings an unused store to rest: afterwards its main file contains everything, and its remaining
/// companion files are meaningless.
///
/// Only then can another main file take its place by one rename: a `-wal` or a hot `-journal` would be
/// applied to whatever file bears the name.
enum StoreQuiescence {
  /// Lets SQLite roll an unfinished transaction back, and write its log into the store.
  ///
  /// The content of the store does not change. Nothing is done that could lose part of it: if the
  /// log is damaged, or a journal belongs to several databases, the store stays as it is.
  ///
  /// - Returns: whether the store is at rest.
  static func attempt(_ store: StorePaths) -> Bool {
    if isReached(store) { return true }
    guard (try? mayBeOpened(store)) == true else { return false }
    do throws(CofferError) {
      let connection = try SQLiteConnection(
        path: store.store, access: .writing, busyTimeout: 0.1)
      defer { try? connection.close() }
      try connection.use { database throws(CofferError) in
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA synchronous = FULL")
        // The first read rolls back; closing the last connection removes the log.
        _ = try database.value("SELECT count(*) FROM sqlite_schema")
        _ = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try connection.close()
    } catch {
      return false
    }
    return isReached(store)
  }

  /// Whether no companion holds anything.
  static func isReached(_ store: StorePaths) -> Bool {
    let files = StoreFiles(main: store.store)
    for path in store.companions {
      let found: FileIdentity?
      do throws(CofferError) { found = try FileSync.look(at: path) } catch { return false }
      guard let identity = found else { continue }
      guard identity.kind == .file else { return false }
      if path == files.wal, identity.size > 0 { return false }
      if path == files.journal, !RollbackJournal.saysNothing(files) { return false }
    }
    return true
  }

  /// Whether SQLite can be trusted to bring it to rest without loss.
  private static func mayBeOpened(_ store: StorePaths) throws(CofferError) -> Bool {
    let files = StoreFiles(main: store.store)
    let main = try SourceFile(path: store.store, kind: .main)
    _ = try DatabaseHeader(
      main.bytes(at: 0, count: DatabaseHeader.length), place: store.store)
    let state = try files.state()
    // A journal that names a super-journal makes SQLite look after that file, and remove it.
    if case .hot(let length) = try RollbackJournal(of: files, main: main),
      length != state.journal?.size
    {
      return false
    }
    guard let wal = state.wal, wal.size > 0 else { return true }
    return try WriteAheadLog(path: files.wal).defect() == nil
  }
}
