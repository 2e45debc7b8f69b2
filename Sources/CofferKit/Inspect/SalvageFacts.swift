/// What was lost when an archive was made from a damaged store.
public struct SalvageFacts: Sendable, Equatable {
  /// How many rows were lost: exactly, or at most, as far as that is known.
  public var lostRowCount: Int
  /// Whether ``lostRowCount`` is exact.
  public var isExact: Bool
  /// How many values were lost from objects that were not.
  public var lostValueCount: Int
  /// How many tables lost all of their rows.
  public var lostTableCount: Int
  /// How many files of external binary data could not be read.
  public var lostFileCount: Int
  /// How many references lead to what was lost.
  public var danglingCount: Int
}
