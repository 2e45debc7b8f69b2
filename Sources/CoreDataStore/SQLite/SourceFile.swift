internal import CSQLiteConfiguration
internal import CoreDataModel
internal import GRDBSQLite
internal import POSIX

/// A file of a store, open for reading through SQLite's own file system layer.
///
/// POSIX locks belong to the process: closing a descriptor of a file drops all locks that the
/// process holds on it. SQLite's layer knows of the locks of every connection in this process and
/// keeps a descriptor until they are gone, so this is the only way to read a store which the app
/// around us may have open. Nothing is ever written.
@safe package struct SourceFile: ~Copyable {
  /// The kinds of files as SQLite sees them.
  enum Kind {
    /// The main file, which can be locked.
    case main
    /// A `-wal` or `-journal`, which SQLite never locks.
    ///
    /// It is opened with the flag of a super-journal: otherwise SQLite gives it to the owner of the
    /// main file when root reads it.
    case companion
    /// The main file of a store that is about to be replaced, opened so that it can be locked
    /// against all other processes; still, nothing is written.
    case replaced
  }

  /// The maximum size of a read call: the largest page, which every SQLite can read at once.
  private static let readSize = 65_536
  /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift cannot import.
  private static let shortRead = SQLITE_IOERR | 2 << 8

  let path: String
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: UnsafePointer<sqlite3_io_methods>
  /// Frees the name, whose type differs between versions of SQLite.
  private let releaseName: () -> Void

  /// Opens a file for reading.
  ///
  /// - Throws: `read-failed` when it cannot be opened; `refused` for a read-only store that is about to be
  ///   replaced.
  init(path: String, kind: Kind) throws(CofferError) {
    guard let system = unsafe sqlite3_vfs_find(nil), let open = unsafe system.pointee.xOpen else {
      throw CofferError(.sqliteError, path: path, detail: "SQLite has no file system layer")
    }
    guard
      let name = unsafe sqlite3_create_filename(path, path + "-journal", path + "-wal", 0, nil)
    else {
      throw CofferError(.sqliteError, path: path, detail: "out of memory", evidence: SQLITE_NOMEM)
    }
    let size = unsafe max(Int(system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let file = unsafe memory.bindMemory(to: sqlite3_file.self, capacity: 1)
    let flags =
      switch kind {
      case .main: SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
      case .companion: SQLITE_OPEN_READONLY | SQLITE_OPEN_SUPER_JOURNAL
      case .replaced: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MAIN_DB
      }
    var granted: Int32 = 0
    let code = unsafe open(system, name, file, flags, &granted)
    // SQLite falls back to reading, and a process that cannot write cannot test for the locks of
    // others.
    let isTooWeak = code == SQLITE_OK && kind == .replaced && granted & SQLITE_OPEN_READONLY != 0
    guard code == SQLITE_OK, !isTooWeak, let methods = unsafe file.pointee.pMethods else {
      if let methods = unsafe file.pointee.pMethods { _ = unsafe methods.pointee.xClose?(file) }
      unsafe memory.deallocate()
      unsafe sqlite3_free_filename(name)
      // Otherwise the system failed to open a file that can be written.
      if isTooWeak, !FileIO.mayWrite(path) {
        throw CofferError(
          .refused, path: path,
          detail: "it is read-only, so other programs that have it open cannot be noticed",
          advice: "Make the file writable first.")
      }
      throw CofferError.fromSQLite(
        code: code == SQLITE_OK ? SQLITE_CANTOPEN : code, message: "it cannot be opened",
        path: path)
    }
    self.path = path
    unsafe self.file = file
    unsafe self.methods = methods
    releaseName = { unsafe sqlite3_free_filename(name) }
  }

  deinit {
    // Closing also releases the lock.
    _ = unsafe methods.pointee.xClose?(file)
    unsafe UnsafeMutableRawPointer(file).deallocate()
    releaseName()
  }

  /// Prevents other processes from changing the main file in rollback mode.
  ///
  /// - Throws: `store-busy` if another process writes until the time is over.
  func lockShared(until deadline: Double) throws(CofferError) {
    var pause: Int64 = 500_000
    while true {
      let code = unsafe methods.pointee.xLock?(file, SQLITE_LOCK_SHARED) ?? SQLITE_MISUSE
      if code == SQLITE_OK { return }
      guard code & 0xff == SQLITE_BUSY, SystemClock.monotonicSeconds < deadline else {
        throw error(code, "it cannot be locked for reading")
      }
      SystemClock.pause(nanoseconds: pause)
      pause = min(pause * 2, 20_000_000)
    }
  }

  /// Whether another process has a lock on the main file; checks once without waiting.
  ///
  /// In WAL mode, a connection holds a lock as long as it is open; in rollback mode, only while it
  /// reads or writes. Source: <https://sqlite.org/lockingv3.html>.
  func isLockedByOthers() throws(CofferError) -> Bool {
    for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE] {
      let code = unsafe methods.pointee.xLock?(file, level) ?? SQLITE_MISUSE
      if code & 0xff == SQLITE_BUSY { return true }
      guard code == SQLITE_OK else { throw error(code, "its locks cannot be read") }
    }
    return false
  }

  /// Keeps the file open, and its lock held, until here.
  func hold() {}

  /// Whether some connection is in a write transaction of rollback mode.
  func isReserved() throws(CofferError) -> Bool {
    var answer: Int32 = 0
    let code = unsafe methods.pointee.xCheckReservedLock?(file, &answer) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, "its locks cannot be read") }
    return answer != 0
  }

  /// The size in bytes.
  func size() throws(CofferError) -> Int64 {
    var size: sqlite3_int64 = 0
    let code = unsafe methods.pointee.xFileSize?(file, &size) ?? SQLITE_MISUSE
    guard code == SQLITE_OK, size >= 0 else { throw error(code, "its size cannot be read") }
    return size
  }

  /// Fills a buffer from an offset; bytes beyond the end of the file become 0.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(CofferError) {
    guard let start = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let count = min(Self.readSize, buffer.count - done)
      let code =
        unsafe methods.pointee.xRead?(
          file, start + done, Int32(clamping: count), offset + Int64(done)) ?? SQLITE_MISUSE
      guard code == SQLITE_OK || code == Self.shortRead else {
        throw error(code, "it cannot be read")
      }
      done += count
    }
  }

  /// The bytes of a range, fewer if the file ends.
  func bytes(at offset: Int64, count: Int) throws(CofferError) -> [UInt8] {
    let available = max(0, try size() - offset)
    var bytes = [UInt8](repeating: 0, count: min(count, Int(clamping: available)))
    let outcome = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(CofferError) in unsafe try read(at: offset, into: buffer) }
    }
    try outcome.get()
    return bytes
  }

  private func error(_ code: Int32, _ message: String) -> CofferError {
    var error = CofferError.fromSQLite(code: code, message: message, path: path)
    if error.code == .sqliteError { error.code = .readFailed }
    return error
  }
}

/// Reads unchanging database files in larger pieces than pages.
///
/// SQLite reads one page at a time from the system. In a scan of consecutive pages, most of the cost is the
/// calls.
package enum ReadAhead {
  private static let name: StaticString = "coffer-reads-ahead"

  /// Whether SQLite has the file system that reads ahead; the first access creates it.
  private static let isThere = unsafe UnsafeRawPointer(name.utf8Start)
    .withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
      unsafe coffer_sqlite_register_read_ahead($0) == SQLITE_OK
    }

  /// The parameters of an SQLite URI for a file that nobody changes: no locks, and read-ahead.
  package static var parameters: String {
    isThere ? "&immutable=1&vfs=\(name)" : "&immutable=1"
  }

  /// The name that makes SQLite open a file for only this connection and read it ahead.
  ///
  /// An empty path is for a database without a name. The name is the path if no reading ahead is possible.
  static func onlyWriter(of path: String) -> String {
    path.isEmpty || !isThere ? path : SnapshotOpener.uri(path) + "?alone=1&vfs=\(name)"
  }
}
