internal import OwnedFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An open folder: whatever is looked up in it is in it, wherever its path leads meanwhile.
///
/// Links are not followed, and nothing but plain files and folders is opened.
@safe struct OpenFolder: ~Copyable {
  private let descriptor: Int32

  /// Opens a folder by its path; folders on the way may be links, the folder itself may not.
  init(path: String) throws(SystemCalls.Failure) {
    descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if descriptor < 0 { throw .last }
  }

  /// Opens a folder in a folder.
  init(_ name: String, in folder: borrowing OpenFolder) throws(SystemCalls.Failure) {
    descriptor = FileOpening.open(name, in: folder.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if descriptor < 0 { throw .last }
  }

  deinit { _ = close(descriptor) }

  /// The names of all that is in the folder, as bytes and in ascending order.
  func names() throws(SystemCalls.Failure) -> [[UInt8]] {
    // Listing closes the descriptor that it is given.
    let own = FileOpening.open(".", in: descriptor, O_RDONLY | O_DIRECTORY)
    guard own >= 0 else { throw .last }
    guard let listing = unsafe fdopendir(own) else {
      let failure = SystemCalls.Failure.last
      _ = close(own)
      throw failure
    }
    defer { _ = unsafe closedir(listing) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(listing) else {
        if errno != 0 { throw .last }
        break
      }
      let name = unsafe Self.name(of: entry)
      if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The name in an entry of a listing, which contains only as many bytes as the name needs.
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

  /// The kind of file with a name, without following a link; nil if it no longer exists.
  func state(of name: String) throws(SystemCalls.Failure) -> FileState? {
    var status = stat()
    if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      return FileState(status)
    }
    let failure = SystemCalls.Failure.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// Opens a plain file for reading.
  ///
  /// - Returns: its descriptor, for the caller to close; nil for anything else than a plain file.
  func openFile(_ name: String) throws(SystemCalls.Failure) -> Int32? {
    // Without waiting: opening a pipe waits for whoever fills it.
    let file = FileOpening.open(name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw .last }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let failure = SystemCalls.Failure.last
      _ = close(file)
      throw failure
    }
    guard FileState(status).kind == .file else {
      _ = close(file)
      return nil
    }
    return file
  }
}
