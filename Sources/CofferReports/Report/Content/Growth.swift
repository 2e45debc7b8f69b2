package import CoreDataModel

/// The values of a date attribute over time.
package struct DateGrowth: Sendable, Equatable {
  /// The declaring entity.
  package var entityName: Name
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  package var name: Name
  /// Its values; without buckets if none is from 1900 to 2199.
  package var histogram: DateHistogram
  /// The number of values before 1900 or after 2199, which usually mean "never".
  package var outsideCount: Int
  /// The latest day in the histogram, such as `2024-05-01`; nil without one.
  package var lastDay: String?
}

/// The number of events over time, in buckets of equal calendar units, in UTC.
package struct DateHistogram: Sendable, Equatable {
  /// The length of a bucket.
  package enum Unit: String, Sendable, CaseIterable {
    case day
    /// A week, beginning on Monday.
    case week
    case month
    case year
  }

  /// A unit of time.
  package struct Bucket: Sendable, Equatable {
    /// The beginning: `2024-05-01`, `2024-05` for a month, `2024` for a year.
    package var label: String
    /// The number of events.
    package var count: Int
  }

  /// The length of a bucket.
  package var unit: Unit
  /// The buckets from the first to the last nonempty one, including empty ones in between.
  package var buckets: [Bucket]

  /// The total of all buckets.
  package var count: Int { buckets.reduce(0) { $0 + $1.count } }
  /// The maximum of all buckets; 0 without buckets.
  package var largest: Int { buckets.map(\.count).max() ?? 0 }
}

/// The last transaction of a persistent history.
package struct LastTransaction: Sendable, Equatable {
  /// The maximum number of objects that are named.
  static let exampleLimit = 5

  /// The number of the transaction.
  package var number: Int64
  /// Its time as ISO 8601 text in UTC; nil if it has none.
  package var date: String?
  /// The changes of each entity, most first.
  package var entities: [HistoryGrowth.EntityChanges]
  /// The first objects that changed, at most five; a deleted one no longer exists.
  package var objects: [ManagedObjectID]
}

/// The persistent history over time: four series with the same buckets.
package struct HistoryGrowth: Sendable, Equatable {
  /// The changes to the objects of an entity.
  package struct EntityChanges: Sendable, Equatable {
    /// The name of the entity.
    package var name: Name
    /// The number of insertions.
    package var insertionCount: Int
    /// The number of updates.
    package var updateCount: Int
    /// The number of deletions.
    package var deletionCount: Int

    /// The number of changes.
    package var count: Int { insertionCount + updateCount + deletionCount }
  }

  /// The transactions.
  package var transactions: DateHistogram
  /// The objects that were inserted.
  package var insertions: DateHistogram
  /// The updates of objects.
  package var updates: DateHistogram
  /// The objects that were deleted.
  package var deletions: DateHistogram
  /// The changes of each entity, most first; entities without changes are left out.
  package var entities: [EntityChanges]
  /// The number of transactions and changes without a date from 1900 to 2199, which are in no
  /// bucket.
  package var outsideCount: Int
  /// The last transaction; nil if its changes are not known.
  package var last: LastTransaction?

  /// The number of objects at the end of each bucket: the current number, minus later insertions,
  /// plus later deletions; nil if the history contradicts itself.
  ///
  /// The history need not be complete for that: apps may remove old transactions.
  package func objectCounts(now count: Int) -> [Int]? {
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
