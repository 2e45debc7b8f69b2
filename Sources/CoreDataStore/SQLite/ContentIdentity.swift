internal import CoreDataModel
internal import POSIX

/// The facts that show whether the files of a store still have the same content: their inodes, sizes and times,
/// and their headers.
///
/// A file that was written since has another change time, which no program can set. Two writes within one tick
/// of the clock have the same time, so there is no identity until the time of the latest write has passed.
package struct ContentIdentity: Sendable, Equatable {
  /// The numbers of the main file, then of the log, if it has content.
  package var numbers: [Int64]
  /// The header of the main file, then of the log.
  package var headers: [UInt8]

  /// The nanoseconds after which a change has a different time from an earlier one.
  private static let tick: Int64 = 2_020_000_000

  /// Creates an identity from its record.
  package init(numbers: [Int64], headers: [UInt8]) {
    (self.numbers, self.headers) = (numbers, headers)
  }

  /// Examines the files; nil if a later write could have the same time, or if a program is writing now.
  init?(_ files: DatabaseFiles, hasLog: Bool) throws(CofferError) {
    let now = SystemClock.fileNanoseconds
    let state = try files.state()
    guard let main = state.main, RollbackJournal.saysNothing(files) else { return nil }
    let log = hasLog ? state.wal.flatMap { $0.size > 0 ? $0 : nil } : nil
    let counted = [main, log].compactMap(\.self)
    let known = counted.compactMap { Self.numbers(of: $0, now: now) }
    guard known.count == counted.count else { return nil }
    numbers = known.flatMap(\.self)
    headers = try SourceFile(path: files.main, kind: .main).bytes(
      at: 0, count: DatabaseHeader.length)
    if log != nil {
      headers += try SourceFile(path: files.wal, kind: .companion).bytes(
        at: 0, count: Int(WriteAheadLog.headerLength))
    }
    guard try files.state().holdsSameContent(as: state) else { return nil }
  }

  /// The numbers that identify a file, unless a write could have the time of one before.
  static func numbers(of file: FileState, now: Int64) -> [Int64]? {
    // A time in the future comes from another clock, and does not show an order. A program that sets the time of a
    // write cannot set the time of the change.
    guard file.nanosecondsUntilSettled(now: now) == 0, file.modified <= now,
      file.changed <= now - tick
    else { return nil }
    return [
      Int64(bitPattern: file.device), Int64(bitPattern: file.inode), file.size, file.modified,
      file.changed,
    ]
  }
}
