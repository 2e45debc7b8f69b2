package import POSIX

extension CofferError {
  /// The error about a failed system call, with advice.
  ///
  /// - Parameters:
  ///   - code: the failed action.
  ///   - path: the file or folder.
  ///   - offset: the byte in the file, or nil.
  ///   - error: the system's error.
  package init(_ code: Code, path: String, offset: Int? = nil, _ error: SystemError) {
    self.init(
      code, path: path, offset: offset, detail: error.text,
      advice: SystemAdvice.advice(for: error.number, at: path))
  }

  /// The error about a file that could not be opened to be read: `not-found` if it is not there, else
  /// `read-failed`.
  package init(reading path: String, _ error: SystemError) {
    if error.isMissing {
      self.init(.notFound, path: path)
    } else {
      self.init(.readFailed, path: path, error)
    }
  }
}

/// Advice for a failed system call.
package enum SystemAdvice {
  /// The next step for a failed call.
  ///
  /// - Parameters:
  ///   - number: the value of `errno`.
  ///   - path: the file or folder of the call, which need not exist; nil if it has no name.
  /// - Returns: a sentence; nil if there is no advice.
  package static func advice(for number: Int32, at path: String?) -> CofferError.Advice? {
    switch number {
    case ENOSPC:
      return "The disk is full. Free some space.\(path.map(freeSpace(around:)) ?? "")"
    case EDQUOT: return "Your disk quota is used up. Free some space."
    case EFBIG: return "The file is too large for this file system or for `ulimit -f`."
    case EACCES, EPERM: return "Check the permissions of the file and its folder."
    case EROFS: return "The file system is read-only. Choose another folder."
    case EMFILE, ENFILE: return "Too many files are open. Raise the limit with `ulimit -n`."
    case ENOENT, ENOTDIR: return "Check that the folder still exists."
    case EIO: return "The disk or its connection may be failing. Check it, then try again."
    case ENOMEM: return "There is not enough memory. Close other programs."
    case ENAMETOOLONG: return "Choose a shorter name."
    default: return nil
    }
  }

  /// The advice if the process can hardly open another file, whatever a library makes of that; nil if
  /// it can.
  package static var forTooFewFiles: CofferError.Advice? {
    var opened: [Int32] = []
    defer { for descriptor in opened { _ = close(descriptor) } }
    // The failed operation may have closed some of its files since.
    while opened.count < 4 {
      let descriptor = dup(0)
      guard descriptor >= 0 else { return errno == EMFILE ? advice(for: EMFILE, at: nil) : nil }
      opened.append(descriptor)
    }
    return nil
  }

  /// The free space for this user on the file system of a path, as a sentence; empty if it is
  /// unknown.
  private static func freeSpace(around path: String) -> String {
    var state = statvfs()
    var place = Substring(path)
    while unsafe statvfs(place.isEmpty ? "." : String(place), &state) != 0 {
      guard let slash = place.lastIndex(of: "/") else {
        guard !place.isEmpty else { return "" }
        place = ""
        continue
      }
      guard place != "/" else { return "" }
      place = slash == place.startIndex ? "/" : place[..<slash]
    }
    let (bytes, overflow) = UInt64(state.f_bavail)
      .multipliedReportingOverflow(by: UInt64(state.f_frsize))
    return overflow ? "" : " \(size(bytes)) are free."
  }

  /// A number of bytes in a suitable unit, rounded down.
  private static func size(_ bytes: UInt64) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1000) kB"
    case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
    default: "\(bytes / 1_000_000_000) GB"
    }
  }
}
