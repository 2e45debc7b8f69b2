/// Reads, writes and synchronizes open files, with the special cases of the system calls handled in
/// one place.
package enum FileIO {
  /// Opens a file for reading.
  package static func open(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = FileOpening.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Creates a file for reading and writing.
  ///
  /// Fails if it exists.
  package static func create(_ path: String, mode: UInt16) throws(SystemError) -> Int32 {
    let descriptor = FileOpening.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Whether the process has permission to read a file, as far as that is known; nothing is opened.
  package static func mayRead(_ path: String) -> Bool {
    unsafe access(path, R_OK) == 0 || errno != EACCES
  }

  /// Whether the process may write a file; nothing is opened.
  package static func mayWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) { closeFile(descriptor) }

  /// Reads once, at most as many bytes as fit.
  ///
  /// Returns 0 only at the end.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe readBytes(descriptor, buffer)
      if count >= 0 { return count }
      try waitOrThrow(descriptor, for: POLLIN)
    }
  }

  /// Reads once at an offset without moving the file position.
  ///
  /// Returns 0 only at the end.
  package static func read(
    _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Fills a buffer from an offset; returns the number of bytes, fewer only at the end of the file.
  package static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try unsafe read(descriptor, at: offset + filled, into: rest)
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes everything.
  ///
  /// A pipe without a reader is an error, not a signal: the signal is blocked on this thread
  /// meanwhile.
  package static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) {
    var rest = unsafe bytes
    while rest.count > 0 {
      let count = unsafe writeOnce(descriptor, rest)
      // No system does that. If one did, retrying would never end.
      if count == 0 { throw SystemError(number: EIO) }
      if count > 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else {
        try waitOrThrow(descriptor, for: POLLOUT)
      }
    }
  }

  /// Writes everything at an offset without moving the file position.
  package static func writeAll(
    _ descriptor: Int32, at offset: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      // No system writes nothing. If one did, retrying would never end.
      if count == 0 { throw SystemError(number: EIO) }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Sets the size of an open file; added bytes are zeros.
  package static func resize(_ descriptor: Int32, to size: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
  }

  /// Makes a pipe whose ends no other program inherits.
  package static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard makePipe(&ends) == 0 else { throw .last }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    withoutPipeSignal { unsafe writeBytes(descriptor, bytes) }
  }

  /// Runs something that writes to pipes or sockets, on this thread, without the signal `SIGPIPE` of closed
  /// ones.
  ///
  /// - Parameter body: the code to run; it determines `errno`.
  /// - Returns: the result of the closure.
  package static func withoutPipeSignal<Result>(_ body: () -> Result) -> Result {
    var pipeSignal = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe sigemptyset(&pending)
    unsafe sigpending(&pending)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    let result = body()
    let number = errno
    if unsafe sigismember(&pending, SIGPIPE) == 0 {
      // Consume the signal that this caused, if it is pending for this thread.
      var now = sigset_t()
      unsafe sigemptyset(&now)
      unsafe sigpending(&now)
      if unsafe sigismember(&now, SIGPIPE) == 1 {
        var taken: Int32 = 0
        unsafe sigwait(&pipeSignal, &taken)
      }
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = number
    return result
  }

  /// Waits after an interruption or if the descriptor is nonblocking.
  ///
  /// Throws all other errors.
  private static func waitOrThrow(_ descriptor: Int32, for events: Int32) throws(SystemError) {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK:
      var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      unsafe poll(&request, 1, -1)
    default: throw .last
    }
  }

  /// Waits until there is input or the end of it, or until the timeout; returns false after the timeout.
  package static func waitUntilReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&request, 1, milliseconds)
    // Reading reports errors of the descriptor; poll ignores a negative one.
    return descriptor < 0 || count > 0 || (count < 0 && errno != EINTR)
  }

  /// Waits for a time, or until the reader of a pipe or a terminal has gone.
  ///
  /// - Returns: whether the reader is gone.
  package static func waitUntilClosed(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    let count = unsafe poll(&request, 1, milliseconds)
    return count > 0 && Int32(request.revents) & (POLLERR | POLLHUP) != 0
  }

  /// Writes the content of an open file to the storage device.
  ///
  /// - Throws: the system's error, also if the file system does not support it.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
      // fsync alone leaves the bytes in the drive's cache, but not every file system supports
      // F_FULLFSYNC.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }

  /// Writes the content of an open file, or the names in an open folder, to the storage device if
  /// the file system supports it.
  ///
  /// Some do not for folders.
  ///
  /// - Throws: the system's error if it is supported but failed.
  package static func synchronizeWherePossible(_ descriptor: Int32) throws(SystemError) {
    do throws(SystemError) {
      try synchronize(descriptor)
    } catch {
      guard error.isUnsupportedSync else { throw error }
    }
  }

  /// The size of an open regular file; nil if the descriptor is not one.
  package static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Removes permissions from an open file that another file does not grant, except the owner's.
  ///
  /// Does nothing if the other file does not exist.
  package static func restrict(_ descriptor: Int32, toPermissionsOf path: String) {
    var given = stat()
    var own = stat()
    guard unsafe stat(path, &given) == 0, unsafe fstat(descriptor, &own) == 0 else { return }
    _ = fchmod(descriptor, own.st_mode & 0o777 & (given.st_mode | 0o600))
  }
}

private func makePipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
