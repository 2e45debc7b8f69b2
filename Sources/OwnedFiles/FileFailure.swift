#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A call of the operating system that failed.
package struct FileFailure: Error, Equatable {
  /// The value of `errno`.
  package let number: Int32

  /// The failure of the last call of this thread.
  static var last: FileFailure { FileFailure(number: errno) }

  /// What the system says about it.
  package var text: String { unsafe String(cString: strerror(number)) }
  /// Whether somebody else holds the lock that was asked for.
  package var isLocked: Bool { number == EWOULDBLOCK }
  /// Whether something is there that may not be.
  package var isPresent: Bool { number == EEXIST }
  /// Whether the name, or a folder on its way, does not exist.
  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
}
