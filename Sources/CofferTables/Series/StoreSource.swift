package import CoreDataArchive
internal import POSIX

/// The place of a store: the machine and the path.
package struct StoreSource: Sendable, Hashable, CustomStringConvertible {
  /// The name of the machine.
  package var host: String
  /// The path of the store's file, with symbolic links resolved.
  package var path: String
  /// The identity of the file on the machine, which moving does not change; nil if it is unknown.
  var file: String?

  /// Describes the place of a file on this machine.
  ///
  /// - Parameter path: the path of the file; a path that cannot be resolved is used unchanged.
  package init(ofFileAt path: String) {
    host = Machine.hostName
    self.path = (try? FileNames.resolve(path)) ?? path
    file = LastingFile.identity(of: path)
  }

  package init(host: String, path: String, file: String? = nil) {
    (self.host, self.path, self.file) = (host, path, file)
  }

  /// The host and the path, as `HOST:PATH`.
  package var description: String { "\(host):\(path)" }

  /// The name of the file.
  package var fileName: String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }

  /// Whether both have the same path on the same machine.
  func isSamePlace(as other: StoreSource) -> Bool { host == other.host && path == other.path }

  /// Whether both are the same file of the same machine, whatever their paths are.
  func isSameFile(as other: StoreSource) -> Bool {
    file != nil && file == other.file && host == other.host
  }

  /// The members of a document that record it.
  package var members: JSONObject {
    var members: JSONObject = ["host": .string(host), "path": .string(path)]
    if let file { members.append("fileIdentity", .string(file)) }
    return members
  }

  /// Reads the ``members``; nil for anything else.
  package init?(_ value: JSONValue) {
    guard case .string(let host)? = value["host"], case .string(let path)? = value["path"] else {
      return nil
    }
    (self.host, self.path) = (host, path)
    if case .string(let file)? = value["fileIdentity"] { self.file = file }
  }
}
