/// A lock of a folder, held for the lifetime of the object.
///
/// Nothing is written to the folder.
///
/// Code that changes the files of a store in several steps holds it exclusively. Code that must see
/// them between two changes shares it.
package final class FolderLock: Sendable {
  private let descriptor: Int32?

  /// How long to wait between two attempts, in microseconds.
  private static let pause: UInt32 = 10_000

  /// Locks a folder.
  ///
  /// If the file system does not support locks or the folder is not readable, nothing is locked.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: who else may hold a lock.
  ///   - seconds: how long to wait for others.
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
