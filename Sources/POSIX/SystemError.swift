/// A call of the operating system that failed.
package struct SystemError: Error, Equatable {
  /// The value of `errno`.
  package let number: Int32

  /// The failure with an error number.
  package init(number: Int32) { self.number = number }

  /// The failure of the last call of this thread.
  package static var last: SystemError { SystemError(number: errno) }

  /// The failure of a call that was given up because nobody wants its result any more.
  package static let cancelled = SystemError(number: ECANCELED)

  /// What the system says about it.
  package var text: String { unsafe String(cString: strerror(number)) }
  /// Whether somebody else holds the lock that was asked for.
  package var isLocked: Bool { number == EWOULDBLOCK }
  /// Whether something is there that may not be.
  package var isPresent: Bool { number == EEXIST }
  /// Whether the name, or a folder on its way, does not exist.
  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// Whether a name exists, but may not be used.
  package var isDenied: Bool { number == EACCES }
  /// Whether a file system cannot bring what it was asked for to the medium, rather than failed to.
  var isUnsupportedSync: Bool { number == EINVAL || number == ENOTSUP }
  /// Whether the reader of a pipe is gone.
  package var isClosedPipe: Bool { number == EPIPE }
}
