internal import Foundation
internal import TestSupport

/// The folder in which inputs become files.
///
/// Each task has its own, so that targets can run side by side; it is removed when its scope ends.
package final class FuzzFolder: Sendable {
  @TaskLocal private static var scoped: FuzzFolder?

  private let folder: TemporaryDirectory?

  private init() { folder = try? TemporaryDirectory() }

  /// Does something with one folder for all inputs, where there is none yet.
  ///
  /// Without it each input has a folder of its own, which takes time.
  package static func use<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if scoped != nil { return try body() }
    let result = $scoped.withValue(FuzzFolder()) { () -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The folder of the innermost scope.
  ///
  /// - Throws: ``BrokenLaw`` outside of all scopes.
  static func current() throws(BrokenLaw) -> FuzzFolder {
    guard let scoped else { throw BrokenLaw("a folder is used outside of its scope") }
    return scoped
  }

  /// The path of a name in the folder.
  func path(_ name: String) throws -> String {
    guard let folder else { throw BrokenLaw("no temporary folder") }
    return folder.file(name)
  }

  /// Writes bytes to a file, replacing an existing one, and returns its path.
  func write(_ bytes: [UInt8], to name: String = "input") throws -> String {
    let path = try path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Makes an empty folder, replacing an existing one, and returns its path.
  func empty(_ name: String) throws -> String {
    let path = try path(name)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  /// The names of everything in a folder.
  func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
