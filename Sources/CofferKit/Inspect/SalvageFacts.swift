/// What was lost when an archive was made from a damaged store.
public struct SalvageFacts: Sendable, Equatable {
  /// The number of lost rows: exact, or an upper bound.
  public var lostRowCount: Int
  /// Whether ``lostRowCount`` is exact.
  public var isExact: Bool
  /// The number of values lost from objects that were not lost.
  public var lostValueCount: Int
  /// The number of tables that lost all their rows.
  public var lostTableCount: Int
  /// The number of external binary data files that could not be read.
  public var lostFileCount: Int
  /// The number of references to lost objects.
  public var danglingCount: Int
}
