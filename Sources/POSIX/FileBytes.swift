/// Whole pieces of files as arrays.
package enum FileBytes {
  /// Reads bytes at an offset without moving the file position.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - offset: the first byte.
  ///   - count: how many to read; the caller sees to it that they fit in memory.
  /// - Returns: the bytes; fewer only at the end of the file.
  /// - Throws: the system's error.
  package static func read(
    _ descriptor: Int32, at offset: Int, count: Int
  ) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: count) { buffer throws(SystemError) in
      try unsafe FileIO.fill(buffer, from: descriptor, at: offset)
    }
  }

  /// Reads the available bytes at the file position.
  ///
  /// - Returns: the bytes; empty at the end.
  /// - Throws: the system's error.
  package static func read(_ descriptor: Int32, upTo most: Int) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: most) { buffer throws(SystemError) in
      try unsafe FileIO.read(descriptor, into: buffer)
    }
  }

  /// Reads from the file position to the end, or up to a limit; a pipe until its writer ends.
  package static func rest(
    of descriptor: Int32, upTo limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let piece = try read(descriptor, upTo: min(limit - bytes.count, 1 << 16))
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Reads a file or a pipe once, up to a limit; throws the system's error.
  package static func contents(of path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path)
    defer { FileIO.close(descriptor) }
    return try rest(of: descriptor, upTo: limit)
  }

  private static func bytes(
    upTo count: Int, _ read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        let room = UnsafeMutableRawBufferPointer(buffer)
        filled = try unsafe read(UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try unsafe FileIO.writeAll(descriptor, bytes) }
    }
    try result.get()
  }

  /// Opens a regular file for reading.
  ///
  /// - Returns: its descriptor, for the caller to close.
  /// - Throws: the system's error; `EISDIR` or `EINVAL` for anything but a regular file.
  package static func openRegular(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = try open(path)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let failure = SystemError.last
      FileIO.close(descriptor)
      throw failure
    }
    let kind = FileState(status).kind
    guard kind == .file else {
      FileIO.close(descriptor)
      throw SystemError(number: kind == .folder ? EISDIR : EINVAL)
    }
    return descriptor
  }

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    // Nonblocking, because opening a pipe waits for its writer.
    let descriptor = FileOpening.open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }
}
