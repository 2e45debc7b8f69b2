/// The identity of a file at one moment.
///
/// A file keeps its identity when it is written or renamed.
package struct FileIdentity: Equatable, Sendable {
  /// The kind of a file.
  package enum Kind: Sendable {
    case file, folder, link
    /// A pipe, a socket, a device.
    case other
  }

  /// The kind.
  package let kind: Kind
  /// The number of the file system, which may change when the computer restarts.
  package let device: UInt64
  /// The number of the file within its file system.
  package let inode: UInt64
  /// The size in bytes.
  package let size: Int64
  /// The user ID of its owner.
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

  /// Identifies the file at a path without following links; nil if there is none or it is unknown.
  package init?(of path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Identifies the file at a path without following links; nil if there is none.
  ///
  /// - Throws: the system's error if it is unknown.
  package static func look(at path: String) throws(SystemError) -> FileIdentity? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return FileIdentity(status) }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// Identifies the open file of a descriptor; nil if unknown.
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

  /// Whether it belongs to the user of this process.
  var isOwn: Bool { owner == geteuid() }
}
