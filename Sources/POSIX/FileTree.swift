/// Operations on a folder and everything in it.
///
/// Links are never followed.
package enum FileTree {
  /// The maximum depth of folders.
  private static let maxDepth = 64

  /// The sorted names in a folder, without `.` and `..`.
  ///
  /// - Returns: the requested names. Other names cost little, however many there are.
  /// - Throws: the system's error.
  package static func names(
    in path: String, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    let descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw .last }
    return try names(consuming: descriptor, where: isWanted)
  }

  /// All files and folders in a folder, by relative path.
  ///
  /// Folders precede their content.
  ///
  /// - Throws: the system's error if a folder cannot be listed or is too deep.
  package static func entries(
    below path: String
  ) throws(SystemError) -> [(path: String, identity: FileState)] {
    var found: [(path: String, identity: FileState)] = []
    var folders = [""]
    while let folder = folders.popLast() {
      for name in try names(in: folder.isEmpty ? path : "\(path)/\(folder)") {
        let relative = folder.isEmpty ? name : "\(folder)/\(name)"
        guard let identity = try FileState.look(named: "\(path)/\(relative)") else { continue }
        found.append((relative, identity))
        guard identity.kind == .folder else { continue }
        guard relative.utf8.lazy.filter({ $0 == UInt8(ascii: "/") }).count < maxDepth else {
          throw SystemError(number: ELOOP)
        }
        folders.append(relative)
      }
    }
    return found
  }

  /// Removes a folder and everything in it.
  ///
  /// Files that cannot be removed stay.
  package static func remove(_ path: String) {
    let descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { _ = close(descriptor) }
    remove(path, openAs: descriptor)
  }

  static func remove(_ path: String, openAs descriptor: Int32) {
    empty("", of: descriptor, depth: 0)
    unsafe rmdir(path)
  }

  /// Removes the content of a folder in an open one, with one descriptor at a time, so that it
  /// works when hardly any are left.
  private static func empty(_ folder: String, of root: Int32, depth: Int) {
    let copy = FileOpening.open(
      folder.isEmpty ? "." : folder, in: root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard copy >= 0, let names = try? names(consuming: copy) else { return }
    for name in names {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      var status = stat()
      guard unsafe fstatat(root, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        unsafe unlinkat(root, path, 0)
        continue
      }
      if depth < maxDepth { empty(path, of: root, depth: depth + 1) }
      unsafe unlinkat(root, path, AT_REMOVEDIR)
    }
  }

  /// The names in an open folder, which this closes.
  private static func names(
    consuming descriptor: Int32, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    try rawNames(consuming: descriptor) { isWanted(String(decoding: $0, as: UTF8.self)) }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The names in an open folder as bytes, in any order.
  ///
  /// Closes the folder.
  static func rawNames(
    consuming descriptor: Int32, where isWanted: ([UInt8]) -> Bool
  ) throws(SystemError) -> [[UInt8]] {
    guard let stream = unsafe fdopendir(descriptor) else {
      let failure = SystemError.last
      _ = close(descriptor)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe Self.name(of: entry)
      if name != [0x2E], name != [0x2E, 0x2E], isWanted(name) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .last }
    return names
  }

  /// The name in a directory entry, whose memory is only as long as the name needs.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var byte = unsafe UnsafeRawPointer(entry) + offset
    var name: [UInt8] = []
    while case let value = unsafe byte.load(as: UInt8.self), value != 0 {
      name.append(value)
      unsafe byte += 1
    }
    return name
  }
}
