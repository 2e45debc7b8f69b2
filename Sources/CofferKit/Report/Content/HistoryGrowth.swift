/// The persistent history over time: four rows of the same buckets.
public struct HistoryGrowth: Sendable, Equatable {
  /// The changes that were made to the objects of an entity.
  public struct EntityChanges: Sendable, Equatable {
    /// The name of the entity.
    public var name: String
    /// How many objects were inserted.
    public var insertionCount: Int
    /// How often one was updated.
    public var updateCount: Int
    /// How many were deleted.
    public var deletionCount: Int

    /// How many changes there are.
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
  /// The changes of each entity, the most first; entities without changes are left out.
  public var entities: [EntityChanges]
  /// How many transactions and changes have no time from 1900 to 2199, and are in no bucket.
  public var outsideCount: Int

  /// How many objects there were at the end of each bucket: how many there are now, less what the
  /// later transactions inserted, plus what they deleted; nil where the history contradicts itself.
  ///
  /// It need not go back to the beginning for that: apps may remove old transactions.
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
