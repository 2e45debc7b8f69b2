#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A fresh folder that only this user can enter, locked for as long as it is referred to.
///
/// The lock tells everybody that its owner lives. It goes away with the process, however that ends;
/// what stays without a lock is a leftover, see ``Leftovers``. The folder itself is removed by whoever
/// made it.
package final class OwnedFolder: Sendable {
  /// The path of the folder.
  package let path: String
  private let descriptor: Int32

  /// How many names are tried.
  private static let attempts = 100

  /// Makes a folder.
  ///
  /// - Parameters:
  ///   - parent: where to make it.
  ///   - prefix: the beginning of its name; 8 hexadecimal digits follow.
  /// - Throws: the system's failure.
  package init(in parent: String, prefix: String) throws(FileFailure) {
    var failure = FileFailure(number: EEXIST)
    for _ in 0..<Self.attempts {
      let path = "\(parent)/\(prefix)\(OwnedName.random())"
      guard unsafe mkdir(path, 0o700) == 0 else {
        failure = .last
        if failure.isPresent { continue }
        throw failure
      }
      let descriptor = FileOpening.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      guard descriptor >= 0 else {
        failure = .last
        unsafe rmdir(path)
        if failure.isMissing { continue }
        throw failure
      }
      if FileLock.own(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      _ = close(descriptor)
      unsafe rmdir(path)
    }
    throw failure
  }

  deinit { _ = close(descriptor) }

  /// Removes the folder with everything in it; what cannot be removed stays.
  package func remove() { FileTree.remove(path, openAs: descriptor) }
}
