/// A failed call of the operating system.
package struct SystemError: Error, Equatable {
  /// The value of `errno`.
  package let number: Int32

  /// Creates the error for a value of `errno`.
  package init(number: Int32) { self.number = number }

  /// The error of the last call on this thread.
  package static var last: SystemError { SystemError(number: errno) }

  /// The error of a call that was abandoned because its result is no longer needed.
  package static let cancelled = SystemError(number: ECANCELED)

  /// The system's message.
  package var text: String { unsafe String(cString: strerror(number)) }
  /// Whether someone else holds the requested lock.
  package var isLocked: Bool { number == EWOULDBLOCK }
  /// Whether the target already exists.
  package var isPresent: Bool { number == EEXIST }
  /// Whether the name, or a folder in its path, does not exist.
  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// Whether permission is missing.
  package var isDenied: Bool { number == EACCES }
  /// Whether the file system does not support synchronizing, rather than having failed.
  var isUnsupportedSync: Bool { number == EINVAL || number == ENOTSUP }
  /// Whether the reader of a pipe has ended.
  package var isClosedPipe: Bool { number == EPIPE }
}
