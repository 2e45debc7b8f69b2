internal import Foundation
internal import Synchronization

/// A new empty folder that is removed with its content when nothing refers to this object.
package final class TemporaryDirectory: Sendable {
  /// The absolute path, symbolic links resolved.
  package let path: String

  /// Makes the folder below the system's folder for temporary files.
  ///
  /// - Throws: the file system's error.
  package init() throws {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    path = parent.appendingPathComponent("coffer-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Makes a folder that is removed when the process ends, for what all tests share.
  ///
  /// - Throws: the file system's error.
  package static func untilExit() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let isFirst = kept.withLock { kept in
      kept.append(directory.path)
      return kept.count == 1
    }
    if isFirst { atexit { TemporaryDirectory.removeKept() } }
    return directory
  }

  /// The folders to be removed when the process ends: what a static constant holds is never released.
  private static let kept = Mutex<[String]>([])

  private static func removeKept() {
    for path in kept.withLock(\.self) { try? FileManager.default.removeItem(atPath: path) }
  }

  deinit {
    // A test may have taken away the permission to delete.
    let files = FileManager.default
    if (try? files.removeItem(atPath: path)) == nil {
      for name in files.subpaths(atPath: path) ?? [] {
        try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(path)/\(name)")
      }
      try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      try? files.removeItem(atPath: path)
    }
  }

  /// The path of a file of that name in the folder, whether it exists or not.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of everything in the folder and below it, sorted; names of folders end in a slash.
  package func contents() throws -> [String] {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: path).map { name in
      let type = try files.attributesOfItem(atPath: file(name))[.type] as? FileAttributeType
      return type == .typeDirectory ? name + "/" : name
    }.sorted()
  }

  /// Writes bytes to a file of the folder and returns its path.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}
