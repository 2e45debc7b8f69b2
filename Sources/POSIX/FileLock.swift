/// Locks of whole files and folders (`flock`).
///
/// The system releases them when the process ends, however it ends.
///
/// They are independent of SQLite's locks and are never taken on a store.
package enum FileLock {
  /// The other locks of the same file that may exist.
  package enum Mode: Sendable {
    case exclusive
    case shared
  }

  /// The result of a request for a lock.
  package enum Outcome: Sendable {
    /// The lock is held until it is released, or until the descriptor and all its copies are closed.
    case held
    /// Someone else holds a conflicting lock.
    case taken
    /// The file system does not support locks.
    case unsupported
  }

  /// Tries to take a lock, without waiting.
  package static func take(_ descriptor: Int32, _ mode: Mode = .exclusive) -> Outcome {
    let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
    while flock(descriptor, operation) != 0 {
      if errno == EINTR { continue }
      return errno == EWOULDBLOCK ? .taken : .unsupported
    }
    return .held
  }

  /// Closes a descriptor and releases its lock.
  ///
  /// Closing it alone is not enough: a program that is just being started has copies of all descriptors
  /// until it runs, and a lock lasts as long as the last copy.
  package static func close(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    closeFile(descriptor)
  }

  /// Locks a newly created file for this process, so that no one removes it as a leftover.
  ///
  /// - Returns: false if someone removed it as a leftover before it could be locked. Then create it
  ///   again under another name.
  package static func own(_ descriptor: Int32, at path: String) -> Bool {
    guard take(descriptor) != .taken, let opened = FileState(of: descriptor) else {
      return false
    }
    return opened.isSameFile(as: FileState(named: path))
  }
}

/// A lock of a folder, held for the lifetime of the object.
///
/// Nothing is written to the folder.
///
/// Code that changes the files of a store in several steps holds it exclusively. Code that must see
/// them between two changes shares it.
package final class FolderLock: Sendable {
  private let descriptor: Int32?

  /// The time between two attempts, in microseconds.
  private static let pause: UInt32 = 10_000

  /// Locks a folder.
  ///
  /// If the file system does not support locks or the folder is not readable, nothing is locked.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: who else may hold a lock.
  ///   - seconds: the time to wait for others.
  /// - Throws: an error with `isLocked` if others hold it until the timeout; otherwise the system's
  ///   error.
  package init(_ path: String, _ mode: FileLock.Mode, waiting seconds: Double) throws(SystemError) {
    let descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else {
      guard errno == EACCES else { throw .last }
      self.descriptor = nil
      return
    }
    let deadline = SystemClock.monotonicSeconds + seconds
    while FileLock.take(descriptor, mode) == .taken {
      guard SystemClock.monotonicSeconds < deadline else {
        _ = close(descriptor)
        throw SystemError(number: EWOULDBLOCK)
      }
      usleep(Self.pause)
    }
    self.descriptor = descriptor
  }

  deinit { if let descriptor { FileLock.close(descriptor) } }
}
