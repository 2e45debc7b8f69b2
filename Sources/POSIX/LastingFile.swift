/// The identity of a file, which no later file of the machine gets.
package enum LastingFile {
  /// The inode of a file and the time of its creation, in one text.
  ///
  /// Both stay when the file is written or renamed, and no copy has them. The inode alone does not suffice:
  /// the next file can get it once the first is removed.
  ///
  /// - Parameter path: the path of the file; links are followed.
  /// - Returns: nil if there is no file, or if the file system does not keep the time.
  package static func identity(of path: String) -> String? {
    #if canImport(Darwin)
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      let created = status.st_birthtimespec
      return text(UInt64(status.st_ino), Int64(created.tv_sec), UInt32(created.tv_nsec))
    #else
      typealias Call =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) ->
        Int32
      // Swift does not import the declaration of statx.
      guard let program = unsafe dlopen(nil, RTLD_NOW) else { return nil }
      defer { _ = unsafe dlclose(program) }
      guard let symbol = unsafe dlsym(program, "statx") else { return nil }
      let call = unsafe unsafeBitCast(symbol, to: Call.self)
      let wanted: UInt32 = 0x100 | 0x800  // STATX_INO, STATX_BTIME
      return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { status in
        guard let address = status.baseAddress,
          unsafe call(AT_FDCWD, path, 0, wanted, address) == 0,
          unsafe status.load(as: UInt32.self) & wanted == wanted
        else { return nil }
        return unsafe text(
          status.load(fromByteOffset: 32, as: UInt64.self),
          status.load(fromByteOffset: 80, as: Int64.self),
          status.load(fromByteOffset: 88, as: UInt32.self))
      }
    #endif
  }

  private static func text(_ inode: UInt64, _ seconds: Int64, _ nanoseconds: UInt32) -> String? {
    seconds > 0 ? "\(inode)-\(seconds).\(nanoseconds)" : nil
  }
}

/// The machine on which the program runs.
package enum Machine {
  /// The name of the machine, without the `.local` of local networks; `localhost` if it has none.
  package static var hostName: String {
    let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1025) { buffer in
      guard let address = buffer.baseAddress, unsafe gethostname(address, 1024) == 0 else {
        return ""
      }
      unsafe buffer[1024] = 0
      return unsafe String(cString: address)
    }
    let plain = name.hasSuffix(".local") ? String(name.dropLast(6)) : name
    return plain.isEmpty ? "localhost" : plain
  }
}
