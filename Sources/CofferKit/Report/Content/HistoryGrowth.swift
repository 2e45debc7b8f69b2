/// The persistent history over time: four series with the same buckets.
public struct HistoryGrowth: Sendable, Equatable {
  /// The changes to the objects of an entity.
  public struct EntityChanges: Sendable, Equatable {
    /// The name of the entity.
    public var name: String
    /// The number of insertions.
    public var insertionCount: Int
    /// The number of updates.
    public var updateCount: Int
    /// The number of deletions.
    public var deletionCount: Int

    /// The number of changes.
    public var count: Int { insertionCount + updateCount + deletionCount }
  }

  /// The transactions.
  public var transactions: DateHistogram
  /// The objects that were inserted.
  public var insertions: DateHistogram
  /// The updates of objects.
  public var updates: DateHistogram
  /// The objects that were deleted.
  public var deletions: DateHistogram
  /// The changes of each entity, most first; entities without changes are left out.
  public var entities: [EntityChanges]
  /// The number of transactions and changes without a date from 1900 to 2199, which are in no
  /// bucket.
  public var outsideCount: Int

  /// The number of objects at the end of each bucket: the current number, minus later insertions,
  /// plus later deletions; nil if the history contradicts itself.
  ///
  /// The history need not be complete for that: apps may remove old transactions.
  public func objectCounts(now count: Int) -> [Int]? {
    var counts: [Int] = []
    var current = count
    for (inserted, deleted) in zip(insertions.buckets, deletions.buckets).reversed() {
      guard current >= 0 else { return nil }
      counts.append(current)
      current = current - inserted.count + deleted.count
    }
    return current >= 0 ? counts.reversed() : nil
  }
}
