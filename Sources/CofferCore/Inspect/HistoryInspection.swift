/// The content of the persistent history.
public struct HistoryInspection: Sendable, Equatable {
  /// The number of transactions.
  public var transactionCount: Int
  /// The number of changes.
  public var changeCount: Int
  /// The time of the first transaction, in seconds since 2001-01-01 00:00:00 UTC; nil without one.
  public var firstTimestamp: Double?
  /// The time of the last transaction, in seconds since 2001-01-01 00:00:00 UTC; nil without one.
  public var lastTimestamp: Double?
  /// The time of the first transaction as ISO 8601 text in UTC; nil without one.
  public var firstDate: String?
  /// The time of the last transaction as ISO 8601 text in UTC; nil without one.
  public var lastDate: String?
  /// The tables of the history, in ascending order of names.
  public var tables: [TableInspection]
}
