internal import Foundation

/// What a folder holds at one moment: names and bytes, for tests that nothing changes it.
package struct FolderState: Equatable, Sendable {
  /// The names of everything in the folder and below it, sorted.
  package let names: [String]
  private let files: [String: Data]

  /// Reads a folder and all below it.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - prefixes: with what the names begin of the files whose bytes matter; nil for all.
  /// - Throws: when a file cannot be read.
  package init(of path: String, bytesOf prefixes: [String]? = nil) throws {
    let manager = FileManager.default
    names = (manager.subpaths(atPath: path) ?? []).sorted()
    var files: [String: Data] = [:]
    for name in names where prefixes?.contains(where: name.hasPrefix) ?? true {
      let type = try manager.attributesOfItem(atPath: "\(path)/\(name)")[.type]
      guard type as? FileAttributeType == .typeRegular else { continue }
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }
    self.files = files
  }
}
