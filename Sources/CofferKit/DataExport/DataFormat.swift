/// The shape in which objects are written for other programs.
public enum DataFormat: String, Sendable, Hashable, CaseIterable {
  /// A file of comma-separated values for each entity (RFC 4180).
  case csv
  /// A file with a JSON object in each line for each entity.
  case ndjson
  /// An SQLite database with the names of the model.
  case sqlite
}
