/// The state of a file in the file system.
///
/// Two equal states of a file without an active writer mean equal bytes. A file keeps its device and inode when
/// it is written or renamed.
package struct FileState: Equatable, Sendable {
  /// The kind of a file.
  package enum Kind: Sendable {
    case file, folder, link
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
  /// The number of the file system, which may change when the computer restarts.
  package let device: UInt64
  /// The number of the file within its file system.
  package let inode: UInt64
  package let owner: UInt32
  package let group: UInt32
  /// The permission bits.
  package let permissions: UInt16

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
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
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
  }

  /// The state of the file at a path, following links; nil if there is none.
  ///
  /// It does not open the file, because closing any descriptor of a file drops all locks of this
  /// process on it, including SQLite's.
  package static func look(at path: String) throws(SystemError) -> FileState? {
    try state { unsafe stat(path, &$0) }
  }

  /// The state of the file with a name, without following a link; nil if there is none.
  package static func look(named path: String) throws(SystemError) -> FileState? {
    try state { unsafe lstat(path, &$0) }
  }

  /// The state of the file with a name, without following a link; nil if there is none or it is
  /// unknown.
  package init?(named path: String) {
    guard let state = try? Self.look(named: path) else { return nil }
    self = state
  }

  static func state(_ call: (inout stat) -> Int32) throws(SystemError) -> FileState? {
    var status = stat()
    if call(&status) == 0 { return FileState(status) }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// The state of the open file of a descriptor; nil if unknown.
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
  package func isSameFile(as other: FileState?) -> Bool {
    device == other?.device && inode == other?.inode
  }

  /// Whether it belongs to the user of this process.
  var isOwn: Bool { owner == geteuid() }

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
