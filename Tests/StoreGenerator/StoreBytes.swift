internal import Foundation

/// The files of a store in memory, to be written wherever it is needed.
///
/// To build a small store takes many times as long as to write its bytes.
struct StoreBytes: Sendable {
  private let main: Data
  /// The contents of the external files by their names.
  private let external: [String: Data]

  /// Takes the bytes of a store that has no companions.
  ///
  /// - Parameter build: writes the store to a path in a folder that is removed afterwards, and closes it.
  /// - Throws: what the closure throws, or the file system's error.
  init(_ build: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coffer-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("Store.sqlite").path
    try build(path)
    main = try Data(contentsOf: URL(fileURLWithPath: path))
    let files = StoreFiles(path)
    var external: [String: Data] = [:]
    for name in files.externalFileNames {
      external[name] = try Data(
        contentsOf: URL(fileURLWithPath: "\(files.externalDataFolder)/\(name)"))
    }
    self.external = external
  }

  /// Writes the store; an existing store is removed.
  ///
  /// - Throws: the file system's error.
  func write(to path: String) throws {
    let files = StoreFiles(path)
    try files.remove()
    try main.write(to: URL(fileURLWithPath: path))
    guard !external.isEmpty else { return }
    try FileManager.default.createDirectory(
      atPath: files.externalDataFolder, withIntermediateDirectories: true)
    for (name, bytes) in external {
      try bytes.write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/\(name)"))
    }
  }
}
