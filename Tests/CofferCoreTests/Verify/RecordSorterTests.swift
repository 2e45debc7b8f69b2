internal import CoreDataModel
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore

@Suite struct RecordSorterTests {
  /// The order that is promised, written down another way.
  private static func sorted(_ records: [SortRecord]) -> [SortRecord] {
    records.sorted { left, right in
      if left.topic != right.topic { return left.topic < right.topic }
      if left.key != right.key { return left.key < right.key }
      if left.rank != right.rank { return left.rank < right.rank }
      if left.first != right.first { return left.first < right.first }
      return left.second < right.second
    }
  }

  private static func content(of sorter: RecordSorter) throws -> [SortRecord] {
    var found: [SortRecord] = []
    try sorter.forEach { found.append($0) }
    return found
  }

  private static func result(
    _ records: [SortRecord], memory: Int = 8 << 20, folder: String? = nil,
    sortsInBackground: Bool = false
  ) throws -> (records: [SortRecord], runCount: Int) {
    let sorter = RecordSorter(
      memory: memory, temporaryFolder: folder, sortsInBackground: sortsInBackground)
    for record in records { try sorter.append(record) }
    let runCount = sorter.runCount
    return (try content(of: sorter), runCount)
  }

  /// Records whose fields are small, or take all bits.
  private static func random(
    _ count: Int, bits: Int, using random: inout SeededGenerator
  ) -> [SortRecord] {
    let shift = 64 - UInt64(bits)
    return (0..<count).map { _ in
      SortRecord(
        topic: UInt32(truncatingIfNeeded: random.next() >> shift),
        rank: UInt32(truncatingIfNeeded: random.next() >> shift),
        key: Int64(bitPattern: random.next() >> shift),
        first: Int64(bitPattern: random.next() >> shift),
        second: Int64(bitPattern: random.next() >> shift))
    }
  }

  /// Every record of extreme numbers.
  private static let extremes: [SortRecord] = {
    let signed: [Int64] = [.min, -1, 0, 1, .max]
    var records: [SortRecord] = []
    for topic in [UInt32.max, 0, 1] {
      for rank in [0, UInt32.max] {
        for key in signed {
          for first in signed {
            for second in signed {
              records.append(
                SortRecord(topic: topic, rank: rank, key: key, first: first, second: second))
            }
          }
        }
      }
    }
    return records
  }()

  @Test func nothingGivesNothing() throws {
    #expect(try Self.result([]).records == [])
  }

  @Test func packedRecordsAreTheSame() {
    for record in Self.extremes { #expect(PackedRecord(record).record == record) }
  }

  @Test func extremeNumbersAreInOrder() throws {
    let expected = Self.sorted(Self.extremes)
    #expect(try Self.result(Self.extremes).records == expected)
    #expect(try Self.result(Self.extremes.reversed()).records == expected)
    #expect(try Self.result(expected).records == expected)
  }

  /// Each field alone decides, and in its place among the others.
  @Test func everyShortSequenceIsInOrder() throws {
    let choices = (0..<32).map { (bits: Int) -> SortRecord in
      let bit = (0..<5).map { place in bits >> place & 1 }
      return SortRecord(
        topic: UInt32(bit[0]), rank: UInt32(bit[1]), key: Int64(-bit[2]), first: Int64(-bit[3]),
        second: Int64(-bit[4]))
    }
    for first in choices {
      for second in choices {
        for third in choices[..<8] {
          let records = [first, second, third]
          #expect(try Self.result(records).records == Self.sorted(records))
        }
      }
    }
  }

  @Test(arguments: [1, 9, 31, 64]) func randomRecordsAreInOrder(_ bits: Int) throws {
    let seed = UInt64(100 + bits)
    var random = SeededGenerator(seed: seed)
    for count in [2, 63, 64, 65, 1000, 20_000] {
      let records = Self.random(count, bits: bits, using: &random)
      let found = try Self.result(records)
      #expect(found.runCount == 0)
      #expect(found.records == Self.sorted(records), "seed \(seed), \(count) records")
    }
  }

  @Test(arguments: [0, 1024, 4096, 100_000], [false, true])
  func littleMemoryGivesTheSame(_ memory: Int, sortsInBackground: Bool) throws {
    let folder = try TemporaryDirectory()
    let seed = UInt64(200 + memory)
    var random = SeededGenerator(seed: seed)
    for bits in [2, 20, 64] {
      let records = Self.random(10_000, bits: bits, using: &random)
      let found = try Self.result(
        records, memory: memory, folder: folder.path, sortsInBackground: sortsInBackground)
      let most = max(1024, memory) / (sortsInBackground ? 96 : 64)
      #expect(found.runCount == (10_000 - 1) / most, "seed \(seed)")
      #expect(found.records == Self.sorted(records), "seed \(seed), \(bits) bits")
    }
  }

  /// The counts around which runs are written and merged.
  @Test func everyCountOfRunsIsMerged() throws {
    for count in 0...150 {
      let records = (0..<count).map { index in
        SortRecord(
          topic: 7, rank: 0, key: Int64(index * 37 % 151), first: Int64(index), second: 0)
      }
      for sortsInBackground in [false, true] {
        let found = try Self.result(records, memory: 1024, sortsInBackground: sortsInBackground)
        #expect(found.records == Self.sorted(records), "\(count) records")
      }
    }
  }

  @Test func equalRecordsAreAllGiven() throws {
    let record = SortRecord(topic: 1, rank: 2, key: 3, first: 4, second: 5)
    let records = Array(repeating: record, count: 500)
    #expect(try Self.result(records).records == records)
    #expect(try Self.result(records, memory: 1024).records == records)
  }

  @Test func theSorterIsEmptyAfterwards() throws {
    let sorter = RecordSorter(memory: 1024)
    for round in [100, 3] as [Int64] {
      for key in 0..<round {
        try sorter.append(SortRecord(topic: 0, rank: 0, key: -key, first: round, second: 0))
      }
      #expect(try Self.content(of: sorter).map(\.key) == Array((1 - round)...0))
      #expect(sorter.runCount == 0)
      #expect(try Self.content(of: sorter) == [])
    }
  }

  @Test(arguments: [10, 1000]) func theBodysErrorIsPassedOn(_ count: Int64) throws {
    let sorter = RecordSorter(memory: 1024)
    for key in 0..<count {
      try sorter.append(SortRecord(topic: 0, rank: 0, key: key, first: 0, second: 0))
    }
    var seen = 0
    #expect(throws: CancellationError.self) {
      try sorter.forEach { _ in
        seen += 1
        if seen == 5 { throw CancellationError() }
      }
    }
    #expect(seen == 5)
    #expect(try Self.content(of: sorter) == [])
  }

  @Test func theTemporaryFolderStaysEmpty() throws {
    let folder = try TemporaryDirectory()
    let sorter = RecordSorter(memory: 1024, temporaryFolder: folder.path)
    for key in 0..<Int64(1000) {
      try sorter.append(SortRecord(topic: 0, rank: 0, key: key, first: 0, second: 0))
    }
    #expect(sorter.runCount > 10)
    #expect(try folder.contents() == [])
    var contents: Set<[String]> = []
    try sorter.forEach { _ in contents.insert(try folder.contents()) }
    #expect(contents == [[]])
  }

  @Test func missingFolderIsATypedError() throws {
    let folder = try TemporaryDirectory()
    let sorter = RecordSorter(memory: 1024, temporaryFolder: folder.file("missing"))
    let record = SortRecord(topic: 0, rank: 0, key: 1, first: 0, second: 0)
    for _ in 0..<16 { try sorter.append(record) }
    let error = #expect(throws: CofferError.self) { try sorter.append(record) }
    #expect(error?.code == .temporaryStorageFailed)
  }

  /// Whether the last run cannot be written, or one before.
  @Test(arguments: [11, 12, 200]) func anErrorOfAnotherThreadIsNotLost(_ count: Int) throws {
    let folder = try TemporaryDirectory()
    let sorter = RecordSorter(
      memory: 1024, temporaryFolder: folder.file("missing"), sortsInBackground: true)
    let error = #expect(throws: CofferError.self) {
      for key in 0..<Int64(count) {
        try sorter.append(SortRecord(topic: 0, rank: 0, key: key, first: 0, second: 0))
      }
      try sorter.forEach { _ in }
    }
    #expect(error?.code == .temporaryStorageFailed)
  }
}
