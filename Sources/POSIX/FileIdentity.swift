/// What a name stands for at one moment: the same file keeps its identity whatever is written to it,
/// and whatever it is called.
package struct FileIdentity: Equatable, Sendable {
  /// The kind of thing that a name stands for.
  package enum Kind: Sendable {
    case file, folder, link
    /// A pipe, a socket, a device.
    case other
  }

  /// What it is.
  package let kind: Kind
  /// The number of the file system, which may change when the computer starts again.
  package let device: UInt64
  /// The number of the file within its file system.
  package let inode: UInt64
  /// The size in bytes.
  package let size: Int64
  /// The number of the user that it belongs to.
  package let owner: UInt32
  /// The permission bits.
  package let permissions: UInt16

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    owner = status.st_uid
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
  }

  /// What a path names, links not followed; nil when there is nothing, or nothing can be told.
  package init?(of path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What a path names, links not followed; nil when there is nothing.
  ///
  /// - Throws: the system's failure where that cannot be told.
  package static func look(at path: String) throws(SystemError) -> FileIdentity? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return FileIdentity(status) }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// What a descriptor is open on; nil when that cannot be told.
  init?(of descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both are the same file.
  package func isSameFile(as other: FileIdentity?) -> Bool {
    guard let other else { return false }
    return device == other.device && inode == other.inode
  }

  /// Whether it belongs to the user that this process runs as.
  var isOwn: Bool { owner == geteuid() }
}
