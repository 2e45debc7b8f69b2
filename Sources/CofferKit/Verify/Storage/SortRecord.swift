/// A record of a ``RecordSorter``: what is sorted by, and a payload of two numbers.
///
/// The order is that of `topic`, `key`, `rank`, `first` and `second`, one after the other.
struct SortRecord: Sendable, Equatable {
  /// What the record is about; records of one topic come together.
  var topic: UInt32
  /// The order among records of one key.
  var rank: UInt32
  /// What the records of a topic are sorted by.
  var key: Int64
  /// A number that comes along.
  var first: Int64
  /// A number that comes along.
  var second: Int64
}

/// A record as four unsigned numbers whose order, one after the other, is the order of the records.
///
///     word0   topic                  upper half of key
///     word1   lower half of key      rank
///     word2   first
///     word3   second
///
/// Of a signed number the sign bit is turned over, so that the negative ones come first.
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

  /// The record.
  var record: SortRecord {
    SortRecord(
      topic: UInt32(truncatingIfNeeded: word0 >> 32), rank: UInt32(truncatingIfNeeded: word1),
      key: Self.signed(word0 << 32 | word1 >> 32), first: Self.signed(word2),
      second: Self.signed(word3))
  }

  /// Whether one record comes before the other.
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
