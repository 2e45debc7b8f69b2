/// A record of a ``RecordSorter``: sort keys, and a payload of two numbers.
///
/// Records are sorted by `topic`, `key`, `rank`, `first` and `second`.
package struct SortRecord: Sendable, Equatable {
  /// The topic.
  ///
  /// Records of one topic are together.
  package var topic: UInt32
  /// The order of records with the same key.
  package var rank: UInt32
  /// The sort key of the records of a topic.
  package var key: Int64
  /// A number of the payload.
  package var first: Int64
  /// A number of the payload.
  package var second: Int64

  package init(topic: UInt32, rank: UInt32, key: Int64, first: Int64, second: Int64) {
    self.topic = topic
    self.rank = rank
    self.key = key
    self.first = first
    self.second = second
  }
}

/// A record as four unsigned numbers that sort in the order of the records.
///
///     word0   topic                  upper half of key
///     word1   lower half of key      rank
///     word2   first
///     word3   second
///
/// The sign bit of signed numbers is inverted, so that negative numbers come first.
struct PackedRecord: Sendable {
  var word0: UInt64
  var word1: UInt64
  var word2: UInt64
  var word3: UInt64

  init(_ record: SortRecord) {
    let key = Self.ordered(record.key)
    word0 = UInt64(record.topic) << 32 | key >> 32
    word1 = key << 32 | UInt64(record.rank)
    word2 = Self.ordered(record.first)
    word3 = Self.ordered(record.second)
  }

  var record: SortRecord {
    SortRecord(
      topic: UInt32(truncatingIfNeeded: word0 >> 32), rank: UInt32(truncatingIfNeeded: word1),
      key: Self.signed(word0 << 32 | word1 >> 32), first: Self.signed(word2),
      second: Self.signed(word3))
  }

  static func < (left: PackedRecord, right: PackedRecord) -> Bool {
    if left.word0 != right.word0 { return left.word0 < right.word0 }
    if left.word1 != right.word1 { return left.word1 < right.word1 }
    if left.word2 != right.word2 { return left.word2 < right.word2 }
    return left.word3 < right.word3
  }

  private static let sign: UInt64 = 1 << 63

  private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ sign }

  private static func signed(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ sign) }
}
