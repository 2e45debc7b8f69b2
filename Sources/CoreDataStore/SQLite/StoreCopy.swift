internal import CoreDataModel
internal import POSIX

/// Makes a private copy of a store, unless the store changes meanwhile.
struct StoreCopy {
  let files: DatabaseFiles
  let state: DatabaseFiles.State
  let journal: RollbackJournal
  /// Whether a writer could be at work in spite of the lock on the main file.
  let isLogged: Bool
  /// Whether the log is not copied.
  var leavesLog = false

  /// Copies the store; nil if it changed meanwhile.
  func take(
    _ main: borrowing SourceFile, in parent: String?
  ) throws(CofferError) -> TemporaryFolder? {
    if isLogged { state.waitUntilSettled() }
    let folder = try TemporaryFolder(in: parent, place: files.main)
    do {
      try FileCopy.copy(main, to: folder.store.main, place: files.main)
      if state.wal != nil, !leavesLog {
        let wal = try SourceFile(path: files.wal, kind: .companion)
        try FileCopy.copy(wal, to: folder.store.wal, place: files.main)
      }
      if case .hot(let length) = journal {
        let source = try SourceFile(path: files.journal, kind: .companion)
        try FileCopy.copy(source, to: folder.store.journal, length: length, place: files.main)
      }
    } catch {
      // A file that disappears meanwhile is a change like any other.
      if error.code == .readFailed, try !isUnchanged() { return nil }
      throw error
    }
    return try isUnchanged() ? folder : nil
  }

  /// Whether the copied files are unchanged, and no writer in WAL mode has started.
  private func isUnchanged() throws(CofferError) -> Bool {
    let now = try files.state()
    let copiesJournal = journal != .none
    return now.copied(withJournal: copiesJournal) == state.copied(withJournal: copiesJournal)
      && (now.sharedMemory == nil) == (state.sharedMemory == nil)
  }
}

/// Copies files of a store into a private folder.
enum FileCopy {
  /// Bytes held in memory at a time.
  private static let chunkSize = 1 << 20

  /// Copies a file, or its beginning.
  ///
  /// On Apple's file system the copy is a clone: it is made by name, without a descriptor of ours,
  /// and costs nothing. Linux can clone too (`FICLONE`), but only through a descriptor of the
  /// source, whose closing would drop the locks of this process; so it reads through SQLite.
  ///
  /// Without a length, all is copied.
  ///
  /// - Throws: `read-failed` when the source, `cannot-copy` when the copy fails.
  static func copy(
    _ source: borrowing SourceFile, to target: String, length: Int64? = nil, place: String
  ) throws(CofferError) {
    if length == nil, FileNames.clone(source.path, to: target) { return }
    let descriptor = FileOpening.open(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw failure(target, place) }
    defer { FileIO.close(descriptor) }
    let size = try source.size()
    let end = min(size, length ?? size)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    var offset: Int64 = 0
    while offset < end {
      let count = Int(min(Int64(chunkSize), end - offset))
      let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      unsafe try source.read(at: offset, into: chunk)
      do throws(SystemError) {
        try unsafe FileIO.writeAll(descriptor, UnsafeRawBufferPointer(chunk))
      } catch {
        throw failure(target, place, error)
      }
      offset += Int64(count)
    }
  }

  private static func failure(
    _ target: String, _ place: String, _ error: SystemError = .last
  ) -> CofferError {
    // The copy is in its own folder, whose name the user does not know.
    let folder = StorePaths.folder(of: StorePaths.folder(of: target))
    return TemporaryFolder.cannotCopy(error.text, to: folder, place: place)
  }
}
