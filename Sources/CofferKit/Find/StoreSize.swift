internal import CoreDataStore
internal import Foundation

/// How much room a store takes with all that belongs to it, and when any of it was written last.
struct StoreSize {
  private(set) var byteCount = 0
  /// The bytes of the external files alone.
  private(set) var externalByteCount = 0
  /// Seconds since 1970; nil where it cannot be told.
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
