internal import CoreDataLayout
internal import CoreDataStore

/// The external files of a store.
public struct ExternalDataInspection: Sendable, Equatable {
  /// The number of files in the support folder, including orphaned ones.
  public var fileCount: Int
  /// Their total size in bytes.
  public var byteCount: Int
  /// The number of values that refer to a file; nil for archives.
  public var referenceCount: Int?
  /// The number of missing files; nil for archives.
  public var missingFileCount: Int?
  /// The number of orphaned files; nil for archives.
  public var orphanedFileCount: Int?
  /// The number of files in the folders of CloudKit mirroring beside the store.
  public var companionFileCount: Int
  /// Their total size in bytes.
  public var companionByteCount: Int

  init(
    _ files: [SupportFolder.File], referenceCount: Int? = nil, missingFileCount: Int? = nil,
    orphanedFileCount: Int? = nil
  ) {
    func size(_ files: [SupportFolder.File]) -> Int {
      files.reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
    }
    let companions = files.filter { CompanionFolder.of($0.components) != nil }
    (companionFileCount, companionByteCount) = (companions.count, size(companions))
    fileCount = files.count - companions.count
    byteCount = size(files).subtractingReportingOverflow(companionByteCount).partialValue
    self.referenceCount = referenceCount
    self.missingFileCount = missingFileCount
    self.orphanedFileCount = orphanedFileCount
  }
}
