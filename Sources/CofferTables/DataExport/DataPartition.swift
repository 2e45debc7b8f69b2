internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import POSIX

/// The way in which the tables of several sources share a folder.
package enum DataPartition: String, Sendable, Equatable, CaseIterable {
  /// Each series of states of a store has its own folder, which Hive, Spark and DuckDB read as a column
  /// `store_uuid`: `store_uuid=UUID`, or, for a copy of a store that already has one, `store_uuid=` and the
  /// ID of its series.
  case storeUUID = "store-uuid"
}

/// The place of one source in a shared folder.
struct PartitionFolder {
  static let prefix = "store_uuid="
  /// The name of the file that records the place of a partition's source.
  private static let sourceName = ".coffer-source.json"

  /// The folder of the source, which need not exist.
  let path: String
  private let common: String
  private let isNew: Bool
  private let source: StoreSource

  /// Finds the place, and creates the common folder if necessary.
  ///
  /// - Throws: `CofferError`: `refused` if the source has no valid UUID, the folder holds the
  ///   tables of one source outside a partition, or the source is an archive and the partition of another
  ///   source has its UUID; `write-failed`; as reading the metadata.
  init(in common: String, for source: some RowSource, _ options: DataExportOptions) throws {
    guard let uuid = try source.metadata().uuid.flatMap(UUID.init(uuidString:))?.uuidString else {
      throw CofferError(
        .refused, path: source.path, detail: "it has no valid UUID, which names its partition",
        advice: "Export it to a separate folder, without partitions.")
    }
    guard !FileSync.exists("\(common)/\(OutputFolder.recordName)") else {
      throw CofferError(
        .refused, path: common, detail: "it holds the tables of one source, not partitions",
        advice: "Choose another folder.")
    }
    let place = options.source ?? StoreSource(ofFileAt: source.path)
    let known = Self.known(uuid, in: common, place)
    var series = SeriesChoice(place, uuid, name: options.seriesName, among: known).series
    let isKnown = known.contains { $0.series == series }
    if !isKnown, options.seriesName == nil {
      // Archives do not record the place of their store, so their series is unknown.
      if let other = known.first, source.kind == .archive, options.source == nil {
        let origin = other.source.map { "the one of \($0)" } ?? "another one"
        throw CofferError(
          .refused, path: source.path,
          detail:
            "a partition with its UUID, \(origin), exists, and an archive does not record which "
            + "store it belongs to",
          advice: "Name the series of the archive, or choose another folder.")
      }
      if known.isEmpty, let plain = BackupSeries(id: uuid) { series = plain }
    }
    self.common = common
    self.source = place
    path = "\(common)/\(Self.prefix)\(series.id)"
    isNew = unsafe mkdir(common, 0o777) == 0
    guard isNew || FileSync.isFolder(common) else { throw FileSync.failure(common) }
  }

  private static func known(
    _ uuid: String, in common: String, _ place: StoreSource
  ) -> [SeriesChoice.Known] {
    let names = (try? FileTree.names(in: common) { $0.hasPrefix(prefix + uuid) }) ?? []
    return names.sorted(by: codeUnitsAscend).compactMap { name in
      guard let series = BackupSeries(id: String(name.dropFirst(prefix.count))) else { return nil }
      let record = FileManager.default.contents(atPath: "\(common)/\(name)/\(sourceName)")
      let source = record.flatMap { try? JSONValue.parse(Array($0)) }.flatMap { StoreSource($0) }
      return SeriesChoice.Known(
        series: series, source: source, fileName: source?.fileName ?? place.fileName)
    }
  }

  /// Writes the place of the source to the folder of its tables.
  func record(in folder: OutputFolder) throws(CofferError) {
    try folder.create(Self.sourceName)
    try folder.append(JSONValue.object(source.members).bytes(), to: Self.sourceName)
  }

  /// Removes the common folder if it was created for this source and is empty.
  func abandon() {
    if isNew { unsafe rmdir(common) }
  }
}
