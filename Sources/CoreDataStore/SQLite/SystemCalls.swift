#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The few calls of the operating system that a snapshot needs.
///
/// None of them opens a file of a store: POSIX locks belong to the process, and closing any
/// descriptor of a file drops all its locks on it, including SQLite's.
enum SystemCalls {
  /// A failed call of the operating system.
  struct Failure: Error {
    /// The number of the error.
    let number: Int32

    /// The failure of the call that was just made.
    static var last: Failure { Failure(number: errno) }

    /// Whether the name, or a folder on its way, does not exist.
    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// The system's text.
    var text: String { unsafe String(cString: strerror(number)) }
  }

  /// The kind of file at a path, without opening it; nil if it does not exist.
  static func state(of path: String) throws(Failure) -> FileState? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let failure = Failure.last
      if failure.isMissing { return nil }
      throw failure
    }
    return FileState(status)
  }

  /// The absolute path without symbolic links.
  static func resolve(_ path: String) throws(Failure) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Extends one of coffer's own files with zeros; a file that is long enough stays as it is.
  ///
  /// If there is no space for the zeros, the file stays short, and SQLite will report what is
  /// missing.
  static func extend(_ path: String, to byteCount: Int64) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, Int64(status.st_size) < byteCount else { return }
    unsafe truncate(path, off_t(clamping: byteCount))
  }

  /// Whether the process runs with the rights of root.
  static var isRoot: Bool { geteuid() == 0 }

  /// Seconds of a monotonic clock.
  static var monotonicSeconds: Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Nanoseconds since 1970, by the clock that stamps files.
  static var fileClock: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return FileState.nanoseconds(now)
  }

  /// Waits; times that are not positive return at once.
  static func pause(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var time = timespec()
    time.tv_sec = .init(clamping: nanoseconds / 1_000_000_000)
    time.tv_nsec = .init(clamping: nanoseconds % 1_000_000_000)
    unsafe nanosleep(&time, nil)
  }

  /// The folder for temporary files: `TMPDIR`, or the system's.
  static var temporaryFolder: String {
    if let path = unsafe getenv("TMPDIR") {
      let text = unsafe String(cString: path)
      if !text.isEmpty { return text }
    }
    return "/tmp"
  }
}
