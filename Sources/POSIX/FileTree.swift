/// What is done to a folder and all below it; links are never followed.
package enum FileTree {
  /// How many folders deep is looked.
  private static let greatestDepth = 64

  /// The names in a folder, sorted; those of the folder itself and of the one above left out.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isWanted: whether a name is one of those that are asked for.
  /// - Returns: the names; what is not wanted costs little, however much there is.
  /// - Throws: the system's failure.
  package static func names(
    in path: String, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    let descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw .last }
    return try names(consuming: descriptor, where: isWanted)
  }

  /// Everything below a folder that is not a folder, and the folders themselves, by their paths from
  /// it; folders come before what is in them.
  ///
  /// - Throws: the system's failure for what cannot be listed or is too deep.
  package static func entries(
    below path: String
  ) throws(SystemError) -> [(path: String, identity: FileIdentity)] {
    var found: [(path: String, identity: FileIdentity)] = []
    var folders = [""]
    while let folder = folders.popLast() {
      for name in try names(in: folder.isEmpty ? path : "\(path)/\(folder)") {
        let relative = folder.isEmpty ? name : "\(folder)/\(name)"
        guard let identity = try FileIdentity.look(at: "\(path)/\(relative)") else { continue }
        found.append((relative, identity))
        guard identity.kind == .folder else { continue }
        guard relative.utf8.lazy.filter({ $0 == UInt8(ascii: "/") }).count < greatestDepth else {
          throw SystemError(number: ELOOP)
        }
        folders.append(relative)
      }
    }
    return found
  }

  /// Removes a folder and all below it; what cannot be removed stays.
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

  /// Removes what is in a folder below an open one, with one descriptor at a time: it must work when
  /// there are hardly any left.
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
      if depth < greatestDepth { empty(path, of: root, depth: depth + 1) }
      unsafe unlinkat(root, path, AT_REMOVEDIR)
    }
  }

  /// The names in an open folder, which is closed.
  private static func names(
    consuming descriptor: Int32, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    try rawNames(consuming: descriptor) { isWanted(String(decoding: $0, as: UTF8.self)) }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The names in an open folder as bytes, in no order; the folder is closed.
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

  /// The name in an entry of a listing, of which only as much is there as the name needs.
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
