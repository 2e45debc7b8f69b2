internal import CoreDataModel

/// Makes a private copy of a store, unless someone changes it meanwhile.
struct StoreCopy {
  let files: StoreFiles
  /// The files as they were when the decision was made.
  let state: StoreFiles.State
  let journal: RollbackJournal
  /// Whether a writer could be at work in spite of the lock on the main file.
  let isLogged: Bool

  /// Copies the store.
  ///
  /// - Parameters:
  ///   - main: the main file, with a shared lock.
  ///   - parent: the folder to make the folder of the copy in; nil for the system's.
  /// - Returns: the copy; nil if someone wrote to the store meanwhile.
  /// - Throws: `cannot-copy`, or `read-failed`.
  func take(
    _ main: borrowing SourceFile, in parent: String?
  ) throws(CofferError) -> TemporaryFolder? {
    if isLogged { state.waitUntilSettled() }
    let folder = try TemporaryFolder(in: parent, place: files.main)
    do {
      try FileCopy.copy(main, to: folder.store.main, place: files.main)
      if state.wal != nil {
        let wal = try SourceFile(path: files.wal, kind: .companion)
        try FileCopy.copy(wal, to: folder.store.wal, place: files.main)
      }
      if case .hot(let length) = journal {
        let source = try SourceFile(path: files.journal, kind: .companion)
        try FileCopy.copy(source, to: folder.store.journal, length: length, place: files.main)
      }
    } catch {
      // A file that went away in between is a change like any other.
      if error.code == .readFailed, try !isUnchanged() { return nil }
      throw error
    }
    return try isUnchanged() ? folder : nil
  }

  /// Whether the files that were copied are as they were, and no writer in WAL mode has come.
  private func isUnchanged() throws(CofferError) -> Bool {
    let now = try files.state()
    let copiesJournal = journal != .none
    return now.copied(withJournal: copiesJournal) == state.copied(withJournal: copiesJournal)
      && (now.sharedMemory == nil) == (state.sharedMemory == nil)
  }
}
