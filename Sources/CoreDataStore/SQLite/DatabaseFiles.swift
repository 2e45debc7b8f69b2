package import CoreDataModel
package import POSIX

/// The files of a store: the main file and its companion files.
package struct DatabaseFiles: Sendable {
  /// The absolute path of the main file, without symbolic links.
  package let main: String
  /// The path of the write-ahead log.
  package var wal: String { main + "-wal" }
  /// The path of the index of the write-ahead log.
  var sharedMemory: String { main + "-shm" }
  /// The path of the rollback journal.
  package var journal: String { main + "-journal" }

  /// The prefix of the names of the hidden folders where stores are built, in the folder `new`.
  static let buildPrefix = ".coffer-import-"

  /// Whether the store is being built, so that no one else opens it.
  var isBeingBuilt: Bool {
    let folders = main.split(separator: "/").dropLast().suffix(2)
    return folders.count == 2 && folders.last == "new"
      && folders.first?.hasPrefix(Self.buildPrefix) == true
  }

  init(main: String) { self.main = main }

  /// Finds a store.
  ///
  /// Companions belong to the target of a symbolic link, where SQLite looks for them.
  ///
  /// - Throws: `not-found`; `not-core-data` for a folder; `read-failed` for a device, or a place out of reach.
  package init(of path: String) throws(CofferError) {
    let state: FileState?
    do {
      state = try FileState.look(at: path)
      main = state?.kind == .file ? try FileNames.resolve(path) : path
    } catch {
      if error.isMissing { throw DatabaseFiles(main: path).notFound }
      throw CofferError(
        .readFailed, path: path, detail: error.text,
        advice: "Check the permissions of the file and its folder.")
    }
    switch state?.kind {
    case nil: throw notFound
    case .file: break
    case .folder: throw CofferError(folder: path)
    case .link, .other:
      throw CofferError(
        .readFailed, path: path, detail: "it is not a regular file",
        advice: "If it is a pipe, write its content to a file first.")
    }
  }

  /// The error for a store that does not exist.
  var notFound: CofferError {
    CofferError(.notFound, path: main)
  }

  /// The states of the files at one moment.
  package struct State: Equatable, Sendable {
    var main: FileState?
    /// The write-ahead log; nil if there is none.
    package var wal: FileState?
    var sharedMemory: FileState?
    var journal: FileState?

    /// The state as far as a copy depends on it: the bytes of a `-shm` are never copied, and a
    /// `-journal` that is not hot belongs to a writer that may not write to the main file yet.
    func copied(withJournal: Bool) -> State {
      var copied = self
      copied.sharedMemory = nil
      if !withJournal { copied.journal = nil }
      return copied
    }

    /// Whether the files that hold the content have the same bytes, as far as the system shows.
    ///
    /// An empty companion counts as missing: any process that opens a store may create one.
    func holdsSameContent(as other: State) -> Bool {
      [(main, other.main), (wal, other.wal), (journal, other.journal)].allSatisfy { own, other in
        switch (own, other) {
        case (let own?, let other?) where own.hasSameBytes(as: other): true
        default: (own?.size ?? 0) == 0 && (other?.size ?? 0) == 0
        }
      }
    }

    /// Whether only the main file exists.
    var isAlone: Bool { wal == nil && sharedMemory == nil && journal == nil }

    /// Waits until a change of the content would show in the time stamps.
    func waitUntilSettled() {
      let now = SystemClock.fileNanoseconds
      let waits = [main, wal].map { $0?.nanosecondsUntilSettled(now: now) ?? 0 }
      SystemClock.pause(nanoseconds: waits.max() ?? 0)
    }
  }

  /// The states of all files, without opening any.
  ///
  /// - Throws: `read-failed` for a companion that is no regular file, and for a place out of reach.
  package func state() throws(CofferError) -> State {
    State(
      main: try state(of: main), wal: try state(of: wal), sharedMemory: try state(of: sharedMemory),
      journal: try state(of: journal))
  }

  func mainState() throws(CofferError) -> FileState? { try state(of: main) }

  private func state(of path: String) throws(CofferError) -> FileState? {
    let state: FileState?
    do {
      state = try FileState.look(at: path)
    } catch {
      throw CofferError(
        .readFailed, path: path, detail: error.text,
        advice: SystemAdvice.advice(for: error.number, at: path))
    }
    // Opening a pipe waits for its writer, and a device may be endless.
    if let state, state.kind != .file {
      throw CofferError(.readFailed, path: path, detail: "it is not a regular file")
    }
    return state
  }
}

extension CofferError {
  /// The error for a folder instead of a store.
  package init(folder path: String) {
    self.init(
      .notCoreData, path: path, detail: "it is a folder",
      advice: "Give the path of the store in it.")
  }
}
