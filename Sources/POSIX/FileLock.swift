/// Locks of whole files and folders (`flock`), which go away with the process however it ends.
///
/// They are independent of the locks that SQLite takes on stores, and are never taken on one.
package enum FileLock {
  /// Who else may hold a lock of the same file.
  package enum Mode: Sendable {
    /// Nobody.
    case exclusive
    /// Others that share it.
    case shared
  }

  /// What came of asking for a lock.
  package enum Outcome: Sendable {
    /// It is held until the descriptor is closed.
    case held
    /// Somebody else holds one that excludes it.
    case taken
    /// The file system knows no such locks.
    case unsupported
  }

  /// Asks once, and does not wait.
  package static func take(_ descriptor: Int32, _ mode: Mode = .exclusive) -> Outcome {
    let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
    while flock(descriptor, operation) != 0 {
      if errno == EINTR { continue }
      return errno == EWOULDBLOCK ? .taken : .unsupported
    }
    return .held
  }

  /// Makes a file that was just created this process's own, so that nobody takes it for a leftover.
  ///
  /// - Parameters:
  ///   - descriptor: the file, or the folder.
  ///   - path: its name.
  /// - Returns: false when somebody took it for a leftover before it could be locked; then it is to be
  ///   made again, under another name.
  package static func own(_ descriptor: Int32, at path: String) -> Bool {
    guard take(descriptor) != .taken, let opened = FileIdentity(of: descriptor) else {
      return false
    }
    return opened.isSameFile(as: FileIdentity(of: path))
  }
}
