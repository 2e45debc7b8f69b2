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

  private init(names: [String], files: [String: Data]) {
    self.names = names
    self.files = files
  }

  /// The state without the files that a closure names.
  package func without(_ isLeftOut: (String) -> Bool) -> FolderState {
    FolderState(
      names: names.filter { !isLeftOut($0) }, files: files.filter { !isLeftOut($0.key) })
  }

  /// The state with other names and bytes of files.
  ///
  /// - Parameter change: gives the name and the bytes that a file has instead.
  /// - Returns: the state.
  package func mapped(
    _ change: (String, [UInt8]) throws -> (String, [UInt8])
  ) rethrows -> FolderState {
    var (names, files) = (Set(names), [:] as [String: Data])
    for (name, bytes) in self.files.sorted(by: { $0.key < $1.key }) {
      let changed = try change(name, Array(bytes))
      names.remove(name)
      names.insert(changed.0)
      files[changed.0] = Data(changed.1)
    }
    return FolderState(names: names.sorted(), files: files)
  }

  /// Whether files and folders of these names are in both, with the same bytes.
  package func hasSame(_ wanted: [String], as other: FolderState) -> Bool {
    let present = Set(names)
    return wanted.allSatisfy { present.contains($0) && files[$0] == other.files[$0] }
  }

  /// The names that only one of the states has, and of the files that differ.
  package func differences(from other: FolderState) -> [String] {
    let changed = files.filter { name, bytes in other.files[name].map { $0 != bytes } ?? false }
    return Set(names).symmetricDifference(other.names).union(changed.keys).sorted()
  }
}
