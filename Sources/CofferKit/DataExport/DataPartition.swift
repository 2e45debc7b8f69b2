internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import POSIX

/// How the tables of several sources share a folder.
public enum DataPartition: String, Sendable, Equatable, CaseIterable {
  /// Each store has a folder `store_uuid=UUID` of its own, which Hive, Spark and DuckDB read as a
  /// column `store_uuid`.
  case storeUUID = "store-uuid"
}

/// The place of one source in a folder that several share.
struct PartitionFolder {
  /// What the names of partitions begin with.
  static let prefix = "store_uuid="

  /// The folder of the source, which need not exist.
  let path: String
  private let common: String
  private let isNew: Bool

  /// Finds the place, and creates the common folder if there is none.
  ///
  /// - Parameters:
  ///   - common: the folder of all sources; its parent must exist.
  ///   - source: the source.
  /// - Throws: `CofferError`: `refused` if the source has no valid UUID, or the folder holds the
  ///   tables of one source outside a partition; `write-failed`; as reading the metadata.
  init(in common: String, for source: some RowSource) throws {
    guard let uuid = try source.metadata().uuid.flatMap(UUID.init(uuidString:)) else {
      throw CofferError(
        .refused, path: source.path, detail: "it has no valid UUID, which names its partition",
        advice: "Export it to a folder of its own, without partitions.")
    }
    guard !FileSync.exists("\(common)/\(OutputFolder.recordName)") else {
      throw CofferError(
        .refused, path: common, detail: "it holds the tables of one source, not partitions",
        advice: "Choose another folder.")
    }
    self.common = common
    path = "\(common)/\(Self.prefix)\(uuid.uuidString)"
    isNew = unsafe mkdir(common, 0o777) == 0
    guard isNew || FileSync.isFolder(common) else { throw FileSync.failure(common) }
  }

  /// Removes the common folder if it was created for this source and is empty.
  func abandon() {
    if isNew { unsafe rmdir(common) }
  }
}
