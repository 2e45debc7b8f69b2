internal import Foundation

/// What is done to files around the measured runs.
enum FileTools {
  /// The bytes of a file.
  static func size(_ path: String) throws -> Int {
    guard
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    else { throw BenchmarkError("\(path): has no size") }
    return size.intValue
  }

  /// The bytes of all files below a folder; 0 if there is no such folder.
  static func folderSize(_ path: String) throws -> Int {
    let names = FileManager.default.enumerator(atPath: path)
    return try (names?.allObjects ?? []).reduce(0) { sum, name in
      let file = "\(path)/\(name)"
      let kind = try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      return kind == .typeRegular ? try sum + size(file) : sum
    }
  }

  /// Removes a file and what belongs to it where it is a store.
  static func remove(_ path: String) {
    let url = URL(fileURLWithPath: path)
    let stem = url.deletingPathExtension().lastPathComponent
    let support = url.deletingLastPathComponent().appendingPathComponent(".\(stem)_SUPPORT").path
    let companions = ["-wal", "-shm", "-journal"].map { path + $0 }
    for path in [path, support] + companions {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Copies a store with its journal and its external data.
  static func copyStore(_ path: String, to target: String) throws {
    remove(target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
    if FileManager.default.fileExists(atPath: path + "-wal") {
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: target + "-wal")
    }
    func support(_ path: String) -> String {
      let url = URL(fileURLWithPath: path)
      let stem = url.deletingPathExtension().lastPathComponent
      return url.deletingLastPathComponent().appendingPathComponent(".\(stem)_SUPPORT").path
    }
    if FileManager.default.fileExists(atPath: support(path)) {
      try FileManager.default.copyItem(atPath: support(path), toPath: support(target))
    }
  }

  /// Reads a file to its end, so that it is in the cache for everybody.
  static func warm(_ path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {}
    try file.close()
  }
}
