/// The state of a file in the file system.
///
/// Two equal states of a file without an active writer mean equal bytes.
package struct FileState: Equatable, Sendable {
  /// The kind of a file.
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
  /// The time of the last change of any kind, in nanoseconds since 1970.
  ///
  /// No one can set it.
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

  /// The state of the file at a path, following links; nil if there is none.
  ///
  /// It does not open the file, because closing any descriptor of a file drops all locks of this
  /// process on it, including SQLite's.
  package static func look(at path: String) throws(SystemError) -> FileState? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return FileState(status) }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// Identifies the open file of a descriptor; nil if unknown.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// A time stamp as one number, clamped to the range.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    let (sum, beyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return beyond ? .max : sum
  }

  /// Whether both are the same file, regardless of its content.
  package func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether it is the same file with the same bytes, as far as the system shows.
  ///
  /// Owners and permissions do not count, nor does ``changed``, which changes with them: SQLite gives
  /// a log to the owner of its store each time that root opens it.
  package func hasSameBytes(as other: FileState) -> Bool {
    isSameFile(as: other) && kind == other.kind && size == other.size && modified == other.modified
  }

  /// Whether the bytes have not changed for some time; false for a time in the future.
  package func hasRested(nanoseconds: Int64, now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(modified)
    return !overflow && age >= nanoseconds
  }

  /// The time to wait until a later change is certain to have another time stamp; 0 for a file that
  /// has not changed recently.
  ///
  /// Kernels use the last tick of their clock, which may be 10 ms old. A stamp of a whole second
  /// may come from a file system without fractions; FAT has a resolution of two seconds.
  package func nanosecondsUntilSettled(now: Int64) -> Int64 {
    let granularity: Int64 = modified % 1_000_000_000 == 0 ? 2_020_000_000 : 20_000_000
    let (age, overflow) = now.subtractingReportingOverflow(modified)
    // A stamp in the future comes from another machine's clock and means nothing, so do not wait
    // for it.
    guard !overflow, age >= 0, age < granularity else { return 0 }
    return granularity - age
  }
}
