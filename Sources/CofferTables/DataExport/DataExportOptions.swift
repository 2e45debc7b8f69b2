public import CofferCore

/// The options of a data export.
public struct DataExportOptions: Sendable, Equatable {
  /// The format.
  public var format: DataFormat
  /// The names of the entities to write, including their subentities; empty for all.
  public var entityNames: [Name]
  /// The names of the entities to leave out, including their subentities; takes precedence over
  /// ``entityNames``.
  public var excludedEntityNames: [Name]
  /// Whether entities without objects and relationships without pairs get no file.
  public var skipsEmpty = false
  /// The way in which the folder is shared with other sources; nil if it belongs to this source alone.
  package var partition: DataPartition?
  /// The place of the source's store, which distinguishes its partition from a copy's; nil for the place of
  /// the file.
  package var source: StoreSource?
  /// The name of the source's series, independent of its place, see ``BackupSeries/isName(_:)``; nil for
  /// none.
  public var seriesName: String?
  /// Whether an earlier output or an empty folder is replaced.
  ///
  /// Anything else is never replaced.
  public var overwriting: Bool
  /// The environment for reading the store or archive.
  public var environment = WorkEnvironment()

  /// Creates options for a format; by default, all objects are written and nothing is replaced.
  public init(
    format: DataFormat, entityNames: [Name] = [], excludedEntityNames: [Name] = [],
    overwriting: Bool = false
  ) {
    self.format = format
    self.entityNames = entityNames
    self.excludedEntityNames = excludedEntityNames
    self.overwriting = overwriting
  }
}

/// The format of a data export.
public enum DataFormat: String, Sendable, Hashable, CaseIterable {
  /// One file of comma-separated values per entity (RFC 4180).
  case csv
  /// One file per entity with a JSON object in each line.
  case ndjson
  /// An SQLite database with the names of the model.
  case sqlite

  /// Whether it consists of text files, with a description of them.
  package var isText: Bool {
    switch self {
    case .csv, .ndjson: true
    case .sqlite: false
    }
  }
}
