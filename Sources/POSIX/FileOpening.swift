/// Opens files, and retries after an interruption by a signal.
package enum FileOpening {
  /// Opens or creates a file.
  ///
  /// Child processes do not inherit the descriptor.
  ///
  /// - Returns: the descriptor; -1 on failure, with the reason in `errno`.
  package static func open(_ path: String, _ flags: Int32, mode: UInt16 = 0) -> Int32 {
    while true {
      let descriptor = openFile(path, flags | O_CLOEXEC, mode_t(mode))
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }

  /// Opens a file by its name in an open folder.
  ///
  /// - Returns: the descriptor; -1 on failure, with the reason in `errno`.
  package static func open(_ name: String, in folder: Int32, _ flags: Int32) -> Int32 {
    while true {
      let descriptor = unsafe openat(folder, name, flags | O_CLOEXEC)
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }
}
