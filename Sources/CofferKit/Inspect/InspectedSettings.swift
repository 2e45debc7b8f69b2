/// The settings of a store's database.
public struct InspectedSettings: Sendable, Equatable {
  /// The size of a page in bytes.
  public var pageSize: Int64
  /// The journal mode: `wal` or `delete`.
  public var journalMode: String
  /// The auto-vacuum mode: `none`, `full` or `incremental`.
  public var autoVacuum: String
  /// The encoding of texts, such as `UTF-8`.
  public var encoding: String
  /// The application's number of its schema's version.
  public var userVersion: Int64
  /// The application's number of its file format.
  public var applicationID: Int64
}
