/// What the persistent history holds.
public struct HistoryInspection: Sendable, Equatable {
  /// How many transactions.
  public var transactionCount: Int
  /// How many changes.
  public var changeCount: Int
  /// When the first transaction was, in seconds since 2001-01-01 00:00:00 UTC; nil without one.
  public var firstTimestamp: Double?
  /// When the last transaction was, in seconds since 2001-01-01 00:00:00 UTC; nil without one.
  public var lastTimestamp: Double?
  /// The first moment as ISO 8601 text in UTC; nil without one.
  public var firstDate: String?
  /// The last moment as ISO 8601 text in UTC; nil without one.
  public var lastDate: String?
  /// The tables of the history, in ascending order of names.
  public var tables: [TableInspection]
}
