internal import Synchronization

/// A new folder that only this user can access, locked for the lifetime of the object.
///
/// The lock shows that its owner is alive. The system releases it when the process ends, however it
/// ends. A folder without a lock is a leftover, see ``Leftovers``. The creator must remove the
/// folder itself.
package final class OwnedFolder: Sendable {
  /// The path of the folder.
  package let path: String
  private let descriptor: Int32
  /// A spare descriptor that is closed for the removal, so that it works when the process has no
  /// others left; -1 afterwards.
  private let spare: Mutex<Int32>

  /// The folders of this process.
  private static let all = Mutex<Set<String>>([])

  /// Removes the folders of this process in another one, for a process that ends while it uses them.
  package static func removeAll(in parent: String) {
    for path in all.withLock({ $0 }) where path.hasPrefix("\(parent)/") { FileTree.remove(path) }
  }

  /// The number of names to try.
  private static let attempts = 100

  /// Creates a folder.
  ///
  /// - Parameters:
  ///   - parent: the folder to create it in.
  ///   - prefix: the beginning of its name, followed by 8 hexadecimal digits.
  /// - Throws: the system's error.
  package init(in parent: String, prefix: String) throws(SystemError) {
    var failure = SystemError(number: EEXIST)
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
      let spare = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      if spare >= 0, FileLock.own(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        self.spare = Mutex(spare)
        Self.all.withLock { _ = $0.insert(path) }
        return
      }
      let cause = SystemError.last
      if spare >= 0 { _ = close(spare) }
      _ = close(descriptor)
      unsafe rmdir(path)
      if spare < 0 { throw cause }
    }
    throw failure
  }

  deinit {
    Self.all.withLock { _ = $0.remove(path) }
    giveUpSpare()
    FileLock.close(descriptor)
  }

  private func giveUpSpare() {
    spare.withLock { spare in
      if spare >= 0 { _ = close(spare) }
      spare = -1
    }
  }

  /// Removes the folder with everything in it.
  ///
  /// Files that cannot be removed stay.
  package func remove() {
    giveUpSpare()
    FileTree.remove(path, openAs: descriptor)
  }
}

/// The unique part of a temporary name: 8 hexadecimal digits.
package enum OwnedName {
  private static let length = 8

  /// Eight unpredictable digits.
  package static func random() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: length - digits.count) + digits
  }

  /// Whether a name consists of a prefix and 8 hexadecimal digits.
  package static func matches(_ name: String, prefix: String) -> Bool {
    // Compare the length first, which rules out nearly every other name.
    guard name.utf8.count == prefix.utf8.count + length, name.utf8.starts(with: prefix.utf8) else {
      return false
    }
    return name.utf8.dropFirst(prefix.utf8.count).allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
  }
}
