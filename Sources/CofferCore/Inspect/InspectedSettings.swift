/// The settings of a store's database.
public struct InspectedSettings: Sendable, Equatable {
  /// The size of a page in bytes.
  public var pageSize: Int64
  /// The journal mode: `wal` or `delete`.
  public var journalMode: String
  /// The auto-vacuum mode: `none`, `full` or `incremental`.
  public var autoVacuum: String
  /// The text encoding, such as `UTF-8`.
  public var encoding: String
  /// The app's schema version (`user_version`).
  public var userVersion: Int64
  /// The app's file format number (`application_id`).
  public var applicationID: Int64
}
