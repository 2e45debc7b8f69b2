package import CoreDataModel
internal import POSIX

/// Follows a store that other programs write, from one commit to the next, without a lock of any kind: no
/// program waits for it, not even a writer in rollback mode.
///
/// It reads bytes of the files and then makes sure that they belong to one commit. A log itself shows its
/// commits: its frames are read from the end of the last look. Without a log, and after a checkpoint has
/// removed unseen frames, all pages are compared with a private copy. The files' time stamps, the header
/// of the log, and the journal and the lock of a writer show whether anything changed meanwhile.
package final class StoreFollower {
  /// The result of a look.
  package enum Look {
    /// Nothing was committed, or nothing that lasted.
    case unchanged
    /// There is no file at the path.
    case missing
    /// A transaction is in progress or incomplete, or another process wrote meanwhile: look again.
    case unsettled
    case changed(Change)
  }

  /// The changes of a store since the last accepted state.
  package struct Change {
    /// The number of commits; nil if unknown.
    package fileprivate(set) var commitCount: Int? = 0
    /// Whether another file is at the path.
    package fileprivate(set) var isReplaced = false
    /// All pages that differ, and perhaps some others.
    package fileprivate(set) var pages: PageChanges
    /// Whether the page size has changed, so that no page is comparable.
    package fileprivate(set) var hasOtherPages = false
    /// The number of pages before.
    fileprivate let oldPageCount: Int
  }

  /// The path of the store, without symbolic links.
  package let path: String
  /// A private copy of the last accepted state.
  package var before: String { copies.before }
  /// A private copy of the state that the last look has found.
  package var after: String { copies.after }

  private let files: DatabaseFiles
  private let copies: PageCopies
  /// The end of the part of the log that was read; nil without a log.
  private var mark: WriteAheadLog.Mark?
  /// The state of the files when all pages were compared; nil if a log was read since.
  private var seen: DatabaseFiles.State?
  private var main: FileState?
  /// Its lasting identity; nil if the file system keeps none.
  private var identity: String?
  /// The main file at a moment when the log had no unread frames, if its time stamp would show any
  /// later change.
  private var resting: FileState?
  /// The header of the main file at the last look.
  private var facts: Facts?
  /// The changes since a state was accepted.
  private var change = Change(pages: PageChanges(pageSize: 0), oldPageCount: 0)
  private let whenRead: () -> Void
  /// Whether the copy of the state now has pages of several states.
  private var isTorn = true

  /// The facts in the first page.
  private struct Facts {
    var pageSize: Int
    var pageCount: Int
    var changeCounter: Int
    var usesWAL: Bool
  }

  /// Begins to follow a store, with copies of its state now.
  ///
  /// - Parameters:
  ///   - path: the path of the store; a symbolic link is followed.
  ///   - folder: the folder for private copies; nil for the system's temporary folder.
  ///   - seconds: how long to wait for writers.
  ///   - whenRead: called after all pages were read, before it is certain that they are of one commit.
  /// - Throws: `not-found`, `read-failed`, `not-sqlite`, `cannot-copy`; `store-busy` if no state was found
  ///   that lasts until it is copied; `CancellationError`.
  package init(
    of path: String, copiesIn folder: String?, waiting seconds: Double = 5,
    whenRead: @escaping () -> Void = {}
  ) throws {
    self.whenRead = whenRead
    files = try DatabaseFiles(of: path)
    self.path = files.main
    copies = try PageCopies(in: folder, place: files.main)
    let deadline = SystemClock.monotonicSeconds + seconds
    while true {
      try Task<Never, Never>.checkCancellation()
      switch try look() {
      case .changed:
        try accept()
        return
      case .missing: throw files.notFound
      case .unchanged, .unsettled:
        guard SystemClock.monotonicSeconds < deadline else { throw busy }
        SystemClock.pause(nanoseconds: 20_000_000)
      }
    }
  }

  /// The error for a store without a readable state.
  package var busy: CofferError {
    CofferError(
      .storeBusy, path: path,
      detail: "a transaction is under way, or a crash has left one half done",
      advice: "Let the app that uses the store finish, or open the store in it.")
  }

  // MARK: Looks

  /// Examines the store once.
  ///
  /// - Throws: `read-failed`, `cannot-copy`; `not-sqlite` for any other file.
  package func look() throws(CofferError) -> Look {
    let moment = SystemClock.fileNanoseconds
    let state = try files.state()
    guard let now = state.main else { return .missing }
    let rests = now.nanosecondsUntilSettled(now: moment) == 0 ? now : nil
    do {
      if !isTorn, state.wal != nil, main?.isSameFile(as: now) == true {
        if let mark, let look = try readOn(from: mark, rests) { return look }
        // A log restarts only after all of its content is in the main file: nothing was missed.
        if resting == now, let look = try readOn(from: nil, rests) { return look }
      }
      if !isTorn, let seen, seen.holdsSameContent(as: state) { return found }
      return try readAll(state)
    } catch {
      // A companion that disappears while it is read is a change like any other.
      guard error.code == .readFailed || error.code == .notFound,
        try files.state().holdsSameContent(as: state) == false
      else { throw error }
      return .unsettled
    }
  }

  /// Accepts the state of the last look; the next look is compared with it.
  ///
  /// Until then, new changes are added to the earlier ones.
  ///
  /// - Throws: `cannot-copy`.
  package func accept() throws(CofferError) {
    try copies.accept(change.pages)
    guard let facts else { return }
    change = Change(pages: PageChanges(pageSize: facts.pageSize), oldPageCount: facts.pageCount)
  }

  /// The result of a finished look.
  private var found: Look {
    let isSame =
      change.pages.count == 0 && !change.isReplaced && facts?.pageCount == change.oldPageCount
    return isSame ? .unchanged : .changed(change)
  }

  /// Reads the frames added to the log.
  ///
  /// - Parameters:
  ///   - mark: the end of the part that was read; nil to start a log whose predecessor was read to its end.
  ///   - rests: the earlier state of the main file, if its time stamp shows any later change.
  /// - Returns: the changes; nil if the log was restarted, or there is none.
  /// - Throws: `read-failed`, `cannot-copy`.
  private func readOn(
    from mark: WriteAheadLog.Mark?, _ rests: FileState?
  ) throws(CofferError) -> Look? {
    guard let facts else { return nil }
    let log = try WriteAheadLog(path: files.wal)
    guard let commits = try log.commits(since: mark), commits.mark.header.pageSize == facts.pageSize
    else { return nil }
    guard let pageCount = commits.pageCount else {
      resting = rests ?? resting
      return found
    }
    try Self.require(pageCount, of: facts.pageCount + commits.pages.count, place: path)
    isTorn = true
    try readPages(of: log, commits, upTo: pageCount)
    guard try log.stillHas(commits.mark) else { return .unsettled }
    try copies.end(pageCount: pageCount, pageSize: facts.pageSize)
    isTorn = false
    change.commitCount = change.commitCount.map { $0 + commits.count }
    self.facts?.pageCount = pageCount
    (self.mark, seen) = (commits.mark, nil)
    return found
  }

  /// Takes the pages of a log, in their order.
  private func readPages(
    of log: WriteAheadLog, _ commits: WriteAheadLog.Commits, upTo pageCount: Int
  ) throws(CofferError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: commits.mark.header.pageSize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    for (page, offset) in commits.pages where page <= pageCount {
      unsafe try log.file.read(at: offset, into: buffer)
      unsafe try copies.take(UnsafeRawBufferPointer(buffer), from: page, &change.pages)
    }
  }

  /// Compares all pages.
  private func readAll(_ state: DatabaseFiles.State) throws(CofferError) -> Look {
    state.waitUntilSettled()
    let source = try SourceFile(path: files.main, kind: .main)
    // Some file systems give the inode of a removed file to the next one.
    let identity = LastingFile.identity(of: files.main)
    guard let now = try files.mainState(), now == state.main else { return .unsettled }
    let log = (state.wal?.size ?? 0) > 0 ? try WriteAheadLog(path: files.wal) : nil
    var commits: WriteAheadLog.Commits?
    if let log { commits = try log.commits(since: nil) }
    guard let facts = try Self.facts(source, log, commits, place: path) else {
      return .unsettled
    }
    guard try isQuiet(source, facts) else { return .unsettled }
    let old = self.facts
    // Pages that an unfinished look wrote to the copy stay recorded.
    if change.pages.pageSize != facts.pageSize {
      let isFirst = change.pages.pageSize == 0
      change.pages = PageChanges(pageSize: facts.pageSize)
      if !isFirst { for page in 1...max(1, facts.pageCount) { change.pages.insert(page) } }
    }
    if let old, old.pageSize != facts.pageSize { change.hasOtherPages = true }
    let before = change.pages.count
    isTorn = true
    try readPages(of: source, log, commits, facts)
    whenRead()
    guard try isUnchanged(now, log, commits), try isQuiet(source, facts) else { return .unsettled }
    try copies.end(pageCount: facts.pageCount, pageSize: facts.pageSize)
    isTorn = false
    if let main, !main.isSameFile(as: now) || identity != self.identity {
      change.isReplaced = true
    }
    if change.pages.count > before || facts.pageCount != old?.pageCount {
      change.commitCount = count(from: old, to: facts, hasLog: commits != nil)
    }
    (mark, seen, main, resting, self.facts) = (commits?.mark, state, now, now, facts)
    self.identity = identity
    return found
  }

  /// The number of commits since a state was accepted; nil if unknown.
  ///
  /// Without a log every commit counts, unless a writer keeps the lock from one to the next.
  private func count(from old: Facts?, to facts: Facts, hasLog: Bool) -> Int? {
    guard let old, !facts.usesWAL, !old.usesWAL, !hasLog, !change.isReplaced else { return nil }
    let count = (facts.changeCounter - old.changeCounter) & 0xffff_ffff
    return count == 0 ? nil : change.commitCount.map { $0 + count }
  }

  /// Takes all pages from the main file, except for newer ones from the log.
  private func readPages(
    of source: borrowing SourceFile, _ log: WriteAheadLog?,
    _ commits: WriteAheadLog.Commits?, _ facts: Facts
  ) throws(CofferError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageCopies.chunkSize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    let step = PageCopies.chunkSize / facts.pageSize
    for first in stride(from: 1, through: facts.pageCount, by: step) {
      let count = min(step, facts.pageCount - first + 1)
      let chunk = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<(count * facts.pageSize)])
      unsafe try source.read(at: Int64(first - 1) * Int64(facts.pageSize), into: chunk)
      if let commits, !commits.pages.isEmpty {
        for page in first..<first + count {
          guard let offset = commits.pages[page] else { continue }
          let start = (page - first) * facts.pageSize
          let place = unsafe UnsafeMutableRawBufferPointer(
            rebasing: chunk[start..<start + facts.pageSize])
          unsafe try log?.file.read(at: offset, into: place)
        }
      }
      unsafe try copies.take(UnsafeRawBufferPointer(chunk), from: first, &change.pages)
    }
  }

  // MARK: Consistency of one commit

  /// The facts in the newest first page; nil if the file is shorter than its header.
  private static func facts(
    _ source: borrowing SourceFile, _ log: WriteAheadLog?,
    _ commits: WriteAheadLog.Commits?, place: String
  ) throws(CofferError) -> Facts? {
    var bytes = try source.bytes(at: 0, count: ForeignFile.prefixSize)
    if let log, let offset = commits?.pages[1] {
      bytes = try log.file.bytes(at: offset, count: DatabaseHeader.length)
    }
    // A program that makes a store writes its name before its content.
    if bytes.isEmpty { return nil }
    let header = try DatabaseHeader(bytes, place: place)
    guard let pageSize = header.pageSize else {
      throw CofferError(.damagedStore, path: place, detail: "its pages have no valid size")
    }
    if let size = commits?.mark.header.pageSize, commits?.pageCount != nil, size != pageSize {
      throw CofferError(.damagedStore, path: place, detail: "its log has pages of another size")
    }
    let size = try source.size()
    let stored = Int(clamping: min(header.byteCount ?? size, size)) / pageSize
    if let commits, let pageCount = commits.pageCount {
      try require(
        pageCount, of: Int(clamping: size) / pageSize + commits.pages.count, place: place)
    }
    return Facts(
      pageSize: pageSize, pageCount: commits?.pageCount ?? stored,
      changeCounter: bytes.long(24) ?? 0, usesWAL: header.usesWAL)
  }

  /// Refuses a log that claims far more pages than exist: a copy would be as large.
  private static func require(
    _ pageCount: Int, of available: Int, place: String
  ) throws(CofferError) {
    guard pageCount - available > 1000 else { return }
    throw CofferError(
      .damagedStore, path: place, detail: "the write-ahead log refers to pages that do not exist")
  }

  /// Whether no transaction is writing to the main file, and no crash has left one.
  private func isQuiet(
    _ source: borrowing SourceFile, _ facts: Facts
  ) throws(CofferError) -> Bool {
    guard RollbackJournal.saysNothing(files) else { return false }
    // A log has writers that lock the main file as long as they like, and write to the log.
    if facts.usesWAL { return true }
    return try !source.isReserved()
  }

  /// Whether the main file is unchanged, and the log still has the frames that were read.
  private func isUnchanged(
    _ state: FileState, _ log: WriteAheadLog?, _ commits: WriteAheadLog.Commits?
  ) throws(CofferError) -> Bool {
    guard try files.mainState() == state else { return false }
    guard let commits else { return true }
    return try log?.stillHas(commits.mark) == true
  }
}
