/// An open folder.
///
/// Lookups stay in it, even if its path leads elsewhere meanwhile.
///
/// Links are not followed, and only regular files and folders are opened.
@safe package struct OpenFolder: ~Copyable {
  private let descriptor: Int32

  /// Opens a folder by its path.
  ///
  /// Folders on the way may be links, but not the folder itself.
  package init(path: String) throws(SystemError) {
    descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if descriptor < 0 { throw .last }
  }

  /// Opens a folder in a folder.
  package init(_ name: String, in folder: borrowing OpenFolder) throws(SystemError) {
    descriptor = FileOpening.open(name, in: folder.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if descriptor < 0 { throw .last }
  }

  deinit { _ = close(descriptor) }

  /// All names in the folder, as bytes in ascending order.
  package func names() throws(SystemError) -> [[UInt8]] {
    // Listing closes its descriptor.
    let own = FileOpening.open(".", in: descriptor, O_RDONLY | O_DIRECTORY)
    guard own >= 0 else { throw .last }
    return try FileTree.rawNames(consuming: own) { _ in true }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The kind of file with a name, without following a link; nil if it no longer exists.
  package func state(of name: String) throws(SystemError) -> FileState? {
    try FileState.state { unsafe fstatat(descriptor, name, &$0, AT_SYMLINK_NOFOLLOW) }
  }

  /// Opens a regular file for reading.
  ///
  /// - Returns: its descriptor, for the caller to close; nil for anything but a regular file.
  package func openFile(_ name: String) throws(SystemError) -> Int32? {
    // Nonblocking, because opening a pipe waits for its writer.
    let file = FileOpening.open(name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw .last }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let failure = SystemError.last
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
