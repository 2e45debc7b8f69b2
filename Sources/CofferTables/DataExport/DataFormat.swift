/// The format of a data export.
public enum DataFormat: String, Sendable, Hashable, CaseIterable {
  /// One file of comma-separated values per entity (RFC 4180).
  case csv
  /// One file per entity with a JSON object in each line.
  case ndjson
  /// An SQLite database with the names of the model.
  case sqlite
}
