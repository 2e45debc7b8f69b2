internal import CoreDataModel
internal import POSIX
internal import Synchronization

/// Watches a store at rest that is read where it is, without SQLite's own locks.
///
/// A shared lock on the main file is held all the while. In rollback mode it keeps everybody from
/// changing the file. In WAL mode it keeps the journal mode and the companions as they are, but not
/// a checkpoint: a writer that comes meanwhile begins a `-wal`, and what it holds moves to the main
/// file at some time. Up to then the file is what it was; that a checkpoint has begun shows in the
/// time stamps of the file, which the system sets before it takes the first byte. So whoever has read
/// something asks afterwards, and only then believes it.
final class ChangeDetector: Sendable {
  private let files: StoreFiles
  private let state: FileState
  private let header: [UInt8]
  /// The main file with its lock; nil after the end.
  private let main: Mutex<SourceFile?>

  /// Begins to watch a store.
  ///
  /// - Parameters:
  ///   - files: the store.
  ///   - state: its main file as it was when the decision was made, and still is, as ``isUnchanged()``
  ///     tells.
  ///   - header: the beginning of the main file.
  ///   - deadline: until when to wait for the lock.
  /// - Throws: `store-busy` when somebody else writes, `read-failed`.
  init(
    _ files: StoreFiles, _ state: FileState, header: [UInt8], until deadline: Double
  ) throws(CofferError) {
    self.files = files
    self.state = state
    self.header = header
    let file = try SourceFile(path: files.main, kind: .main)
    try file.lockShared(until: deadline)
    main = Mutex(file)
  }

  /// Whether the main file is what it was; true after the end.
  ///
  /// - Throws: `read-failed` when that cannot be found out.
  func isUnchanged() throws(CofferError) -> Bool {
    try main.withLock { main throws(CofferError) in
      guard let beginning = try main?.bytes(at: 0, count: header.count) else { return true }
      guard beginning == header else { return false }
      return try files.mainState() == state
    }
  }

  /// Gives the lock up.
  func end() { main.withLock { $0 = nil } }
}
