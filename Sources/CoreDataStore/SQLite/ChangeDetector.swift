internal import CoreDataModel
internal import POSIX
internal import Synchronization

/// Watches an idle store that is read in place, without SQLite's own locks.
///
/// A shared lock on the main file is held throughout. In rollback mode, it prevents all writers from
/// changing the file. In WAL mode, it preserves the journal mode and the companion files, but does
/// not prevent a checkpoint: a new writer begins a `-wal`, and its content moves to the main file
/// at some time. Until then the file is unchanged. The beginning of a checkpoint shows in the times
/// of the file, which the system sets before it accepts the first byte. So check afterwards, and
/// only then trust what you read.
final class ChangeDetector: Sendable {
  private let files: DatabaseFiles
  private let state: FileState
  private let header: [UInt8]
  /// The main file with its lock; nil after the end.
  private let main: Mutex<SourceFile?>

  /// Begins to watch a store; throws `store-busy` if another process writes, `read-failed`.
  init(
    _ files: DatabaseFiles, _ state: FileState, header: [UInt8], until deadline: Double
  ) throws(CofferError) {
    self.files = files
    self.state = state
    self.header = header
    let file = try SourceFile(path: files.main, kind: .main)
    try file.lockShared(until: deadline)
    main = Mutex(file)
  }

  /// Whether the main file is unchanged; true after the end.
  func isUnchanged() throws(CofferError) -> Bool {
    try main.withLock { main throws(CofferError) in
      guard let beginning = try main?.bytes(at: 0, count: header.count) else { return true }
      guard beginning == header else { return false }
      return try files.mainState() == state
    }
  }

  func end() { main.withLock { $0 = nil } }
}
