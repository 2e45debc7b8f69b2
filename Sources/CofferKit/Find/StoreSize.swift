internal import CoreDataStore
internal import Foundation

/// The size of a store with all its files, and the time of its last change.
struct StoreSize {
  private(set) var byteCount = 0
  /// The size of the external files alone.
  private(set) var externalByteCount = 0
  /// Seconds since 1970; nil if unknown.
  private(set) var modified: Double?

  init(of path: String) {
    // The index of the log says nothing, and is written by readers.
    for companion in ["", "-wal", "-journal"] { add(path + companion) }
    let databaseByteCount = byteCount
    let support = StorePaths(store: path).supportFolder
    for name in FileManager.default.subpaths(atPath: support) ?? [] {
      add(StorePaths.join(support, name))
    }
    externalByteCount = byteCount - databaseByteCount
  }

  private mutating func add(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return }
    byteCount += (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard let date = attributes[.modificationDate] as? Date else { return }
    modified = max(modified ?? -.infinity, date.timeIntervalSince1970)
  }
}
