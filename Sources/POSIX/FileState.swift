/// The state of a file in the file system.
///
/// Two equal states of a file without an active writer mean equal bytes.
package struct FileState: Equatable, Sendable {
  /// The kind of thing that a path names.
  package enum Kind: Sendable {
    case file
    case folder
    /// A pipe, a socket, a device.
    case other
  }

  package let kind: Kind
  package let size: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change of any kind, in nanoseconds since 1970, which no one can set.
  package let changed: Int64
  package let device: UInt64
  package let inode: UInt64
  package let owner: UInt32
  package let group: UInt32

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      modified = Self.nanoseconds(status.st_mtimespec)
      changed = Self.nanoseconds(status.st_ctimespec)
    #else
      modified = Self.nanoseconds(status.st_mtim)
      changed = Self.nanoseconds(status.st_ctim)
    #endif
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    owner = status.st_uid
    group = status.st_gid
  }

  /// What a path names, links followed; nil when there is nothing.
  ///
  /// Nothing is opened: closing any descriptor of a file drops all locks that this process holds on it,
  /// SQLite's included.
  package static func look(at path: String) throws(SystemError) -> FileState? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return FileState(status) }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// What a descriptor is open on; nil when that cannot be told.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// A time stamp as one number, at the ends of the range when it does not fit.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    let (sum, beyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return beyond ? .max : sum
  }

  /// Whether both are the same file, whatever has been written to it.
  package func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether no one has changed the bytes for some time; false for a time in the future.
  package func hasRested(nanoseconds: Int64, now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(modified)
    return !overflow && age >= nanoseconds
  }

  /// How long to wait until a later change must give the file another time stamp; 0 for a file
  /// that has been at rest.
  ///
  /// Kernels stamp with the last tick of their clock, up to 10 ms old. A stamp of a whole second
  /// may be of a file system that keeps no fraction, FAT even two seconds.
  package func nanosecondsUntilSettled(now: Int64) -> Int64 {
    let granularity: Int64 = modified % 1_000_000_000 == 0 ? 2_020_000_000 : 20_000_000
    let (age, overflow) = now.subtractingReportingOverflow(modified)
    // A stamp of the future, of another machine's clock, says nothing: do not wait for it.
    guard !overflow, age >= 0, age < granularity else { return 0 }
    return granularity - age
  }
}
