/// An open folder: whatever is looked up in it is in it, wherever its path leads meanwhile.
///
/// Links are not followed, and nothing but plain files and folders is opened.
@safe package struct OpenFolder: ~Copyable {
  private let descriptor: Int32

  /// Opens a folder by its path; folders on the way may be links, the folder itself may not.
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

  /// The names of all that is in the folder, as bytes and in ascending order.
  package func names() throws(SystemError) -> [[UInt8]] {
    // Listing closes the descriptor that it is given.
    let own = FileOpening.open(".", in: descriptor, O_RDONLY | O_DIRECTORY)
    guard own >= 0 else { throw .last }
    return try FileTree.rawNames(consuming: own) { _ in true }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The kind of file with a name, without following a link; nil if it no longer exists.
  package func state(of name: String) throws(SystemError) -> FileState? {
    var status = stat()
    if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      return FileState(status)
    }
    let failure = SystemError.last
    if failure.isMissing { return nil }
    throw failure
  }

  /// Opens a plain file for reading.
  ///
  /// - Returns: its descriptor, for the caller to close; nil for anything else than a plain file.
  package func openFile(_ name: String) throws(SystemError) -> Int32? {
    // Without waiting: opening a pipe waits for whoever fills it.
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
