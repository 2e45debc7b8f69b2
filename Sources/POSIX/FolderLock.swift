/// A lock of a folder, for as long as it is referred to; nothing is written to the folder.
///
/// Whoever changes the files of a store in more than one step holds it exclusively; whoever has to see
/// them between two changes shares it.
package final class FolderLock: Sendable {
  private let descriptor: Int32?

  /// How long to wait between two attempts, in microseconds.
  private static let pause: UInt32 = 10_000

  /// Locks a folder.
  ///
  /// Where the file system knows no such locks, or the folder may not be read, nothing is locked.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: who else may hold a lock.
  ///   - seconds: how long to wait for others.
  /// - Throws: a failure that is `isLocked` when others hold it all the time; the system's otherwise.
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

  deinit { if let descriptor { _ = close(descriptor) } }
}
