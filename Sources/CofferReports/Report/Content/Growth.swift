public import CoreDataModel

/// The values of a date attribute over time.
public struct DateGrowth: Sendable, Equatable {
  /// The declaring entity.
  public var entityName: Name
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  public var name: Name
  /// Its values; without buckets if none is from 1900 to 2199.
  public var histogram: DateHistogram
  /// The number of values before 1900 or after 2199, which usually mean "never".
  public var outsideCount: Int
  /// The latest day in the histogram, such as `2024-05-01`; nil without one.
  public var lastDay: String?
}

/// The number of events over time, in buckets of equal calendar units, in UTC.
public struct DateHistogram: Sendable, Equatable {
  /// The length of a bucket.
  public enum Unit: String, Sendable, CaseIterable {
    /// A day.
    case day
    /// A week, beginning on Monday.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// A unit of time.
  public struct Bucket: Sendable, Equatable {
    /// The beginning: `2024-05-01`, `2024-05` for a month, `2024` for a year.
    public var label: String
    /// The number of events.
    public var count: Int
  }

  /// The length of a bucket.
  public var unit: Unit
  /// The buckets from the first to the last nonempty one, including empty ones in between.
  public var buckets: [Bucket]

  /// The total of all buckets.
  public var count: Int { buckets.reduce(0) { $0 + $1.count } }
  /// The maximum of all buckets; 0 without buckets.
  public var largest: Int { buckets.map(\.count).max() ?? 0 }
}

/// The last transaction of a persistent history.
public struct LastTransaction: Sendable, Equatable {
  /// The maximum number of objects that are named.
  static let exampleLimit = 5

  /// The number of the transaction.
  public var number: Int64
  /// Its time as ISO 8601 text in UTC; nil if it has none.
  public var date: String?
  /// The changes of each entity, most first.
  public var entities: [HistoryGrowth.EntityChanges]
  /// The first objects that changed, at most five; a deleted one no longer exists.
  public var objects: [ManagedObjectID]
}

/// The persistent history over time: four series with the same buckets.
public struct HistoryGrowth: Sendable, Equatable {
  /// The changes to the objects of an entity.
  public struct EntityChanges: Sendable, Equatable {
    /// The name of the entity.
    public var name: Name
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
  /// The last transaction; nil if its changes are not known.
  public var last: LastTransaction?

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
