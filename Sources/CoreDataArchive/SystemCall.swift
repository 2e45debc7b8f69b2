internal import OwnedFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system calls that the container and temporary files need, with their odd cases handled once.
package enum SystemCall {
  /// A failed call's error number.
  package struct Failure: Error, Equatable {
    /// The value of `errno`.
    var number: Int32
    /// What the system says about it.
    package var text: String { unsafe String(cString: strerror(number)) }
    /// Whether the reader of a pipe is gone.
    var isClosedPipe: Bool { number == EPIPE }
    /// Whether a file exists that may not.
    var fileExists: Bool { number == EEXIST }

    /// Whether there is no file.
    var isMissingFile: Bool { number == ENOENT }

    /// The failure of a call that was given up because nobody wants its result any more.
    static let cancelled = Failure(number: ECANCELED)

    /// The failure of the last call of this thread.
    static var last: Failure { Failure(number: errno) }
  }

  /// Reads once, at most as much as there is room for; 0 only at the end.
  static func read(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      #if canImport(Darwin)
        let count = unsafe Darwin.read(descriptor, room.baseAddress, room.count)
      #elseif canImport(Glibc)
        let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
      #else
        let count = unsafe Musl.read(descriptor, room.baseAddress, room.count)
      #endif
      if count >= 0 { return count }
      try waitOrThrow(descriptor, for: POLLIN)
    }
  }

  /// Reads once from a place of a file without moving its position; 0 only at the end.
  package static func read(
    _ descriptor: Int32, at offset: Int, into room: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let count = unsafe pread(descriptor, room.baseAddress, room.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Writes everything.
  ///
  /// A pipe without a reader is an error and not a signal: the signal is kept off this thread for the time.
  package static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Failure)
  {
    var rest = unsafe bytes
    while rest.count > 0 {
      let count = unsafe writeOnce(descriptor, rest)
      if count >= 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else {
        try waitOrThrow(descriptor, for: POLLOUT)
      }
    }
  }

  private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    var pipeSignal = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe sigemptyset(&pending)
    unsafe sigpending(&pending)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    #if canImport(Darwin)
      let count = unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      let count = unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
    let number = errno
    if count < 0, number == EPIPE, unsafe sigismember(&pending, SIGPIPE) == 0 {
      // Take away the signal that this write caused, where it waits for this thread.
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
    return count
  }

  /// Waits after an interruption or where a descriptor does not block; throws for every other error.
  private static func waitOrThrow(_ descriptor: Int32, for events: Int32) throws(Failure) {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK:
      var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      unsafe poll(&request, 1, -1)
    default: throw .last
    }
  }

  /// Waits until there is something to be read, or the end, or the time is over.
  ///
  /// - Returns: false when the time is over.
  static func waitUntilReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&request, 1, milliseconds)
    // What is wrong with a descriptor, reading tells.
    return count > 0 || (count < 0 && errno != EINTR)
  }

  /// Opens a file for reading.
  static func open(_ path: String) throws(Failure) -> Int32 {
    try opened(path, O_RDONLY | O_CLOEXEC)
  }

  /// Creates a file for writing and reading; it may not exist.
  static func create(_ path: String, mode: mode_t) throws(Failure) -> Int32 {
    try opened(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
  }

  private static func opened(
    _ path: String, _ flags: Int32, _ mode: mode_t = 0
  ) throws(Failure) -> Int32 {
    while true {
      #if canImport(Darwin)
        let descriptor = unsafe Darwin.open(path, flags, mode)
      #elseif canImport(Glibc)
        let descriptor = unsafe Glibc.open(path, flags, mode)
      #else
        let descriptor = unsafe Musl.open(path, flags, mode)
      #endif
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Musl.close(descriptor)
    #endif
  }

  /// What stands at a path.
  enum FileKind: Equatable {
    case missing, regular, folder, other
  }

  /// What stands at a path; symbolic links are followed, a dangling one is `other`.
  ///
  /// - Throws: the system's error where that cannot be told.
  static func kind(of path: String) throws(Failure) -> FileKind {
    var status = stat()
    if unsafe stat(path, &status) != 0 {
      guard errno == ENOENT else { throw .last }
      if unsafe lstat(path, &status) == 0 { return .other }
      guard errno == ENOENT else { throw .last }
      return .missing
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Whether a symbolic link stands at a path.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The absolute path without symbolic links.
  static func resolve(_ path: String) throws(Failure) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Takes from an open file the permissions that a file does not have, those of its owner excepted;
  /// nothing happens where there is no file.
  static func restrict(_ descriptor: Int32, toPermissionsOf path: String) {
    var given = stat()
    var own = stat()
    guard unsafe stat(path, &given) == 0, unsafe fstat(descriptor, &own) == 0 else { return }
    _ = fchmod(descriptor, own.st_mode & 0o777 & (given.st_mode | 0o600))
  }

  /// The size of an open regular file, or nil where the descriptor is no such file.
  static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Brings a file's content to the medium.
  static func synchronize(_ descriptor: Int32) throws(Failure) {
    #if canImport(Darwin)
      // fsync alone leaves the bytes in the drive's cache on macOS; not every file system knows the other.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }

  /// Brings a folder's list of names to the medium, where the file system can and the folder may be read.
  static func synchronizeFolder(_ path: String) throws(Failure) {
    let descriptor: Int32
    do throws(Failure) {
      descriptor = try open(path)
    } catch {
      if error.number == EACCES { return }
      throw error
    }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      guard errno == EINVAL || errno == ENOTSUP else { throw .last }
      return
    }
  }

  /// Gives a file its final name.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - target: its final name, in the same folder.
  ///   - overwriting: whether a file of that name is replaced; otherwise it is an error, also when it
  ///     appeared only now.
  /// - Throws: the system's error.
  static func move(
    _ path: String, to target: String, overwriting: Bool
  ) throws(Failure) {
    if !overwriting {
      if unsafe link(path, target) == 0 {
        _ = unsafe unlink(path)
        return
      }
      if errno == EEXIST { throw .last }
      // A file system without hard links: the next best.
      if try kind(of: target) != .missing { throw Failure(number: EEXIST) }
    }
    guard unsafe rename(path, target) == 0 else { throw .last }
  }

  /// Removes a file; nothing happens where there is none.
  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// The beginning of the names that files without a name have for a moment.
  private static let spoolPrefix = "coffer-spool-"

  /// Opens a file without a name, accessible to this user alone, which is gone when the descriptor is
  /// closed.
  ///
  /// It has a name for the moment between its creation and the next call; what a crash leaves in that
  /// moment is an empty file, which the next call of another process removes.
  ///
  /// - Parameter folder: the folder whose file system keeps it.
  /// - Returns: the descriptor, for writing and reading.
  /// - Throws: the system's error.
  package static func createNameless(in folder: String) throws(Failure) -> Int32 {
    Leftovers.removeFiles(in: folder) { OwnedName.matches($0, prefix: spoolPrefix) }
    while true {
      let path = "\(folder)/\(spoolPrefix)\(OwnedName.random())"
      do {
        let descriptor = try create(path, mode: 0o600)
        // Somebody who took it for a leftover has done the same.
        _ = unsafe unlink(path)
        return descriptor
      } catch {
        guard error.fileExists else { throw error }
      }
    }
  }
}

extension SystemCall {
  /// The count of processors that this process can use, at most 4.
  static var processorCount: Int { min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }

  /// The folder for temporary files, as the environment says.
  package static var temporaryFolder: String {
    guard let folder = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: folder)
    return path.isEmpty ? "/tmp" : path
  }
}
