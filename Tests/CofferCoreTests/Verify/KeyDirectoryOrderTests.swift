internal import CoreDataModel
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// Many keys in all kinds of order, in memory and in the temporary file.
@Suite struct KeyDirectoryOrderTests {
  /// The order of the keys of a test.
  enum Order: CaseIterable {
    case ascending, holes, sparse, descending, random, dense, sawtooth, alternating, blocks, ranges

    /// The keys, some of them more than once.
    func keys(_ count: Int, using random: inout SeededGenerator) -> [Int64] {
      var last: Int64 = -1_000
      return (0..<count).map { index in
        let number = Int64(index)
        switch self {
        case .ascending: return number
        case .holes:
          last += random.chance(0.01) ? 1_000 : 1 + Int64(random.below(10) / 8)
          return last
        case .sparse: return .min &+ number &* (Int64.max / Int64(count)) &* 2
        case .descending: return -number
        case .random: return Int64(bitPattern: random.next())
        case .dense: return Int64(random.below(count)) - 1_000
        case .sawtooth: return number % 2_500 * 100 - number / 2_500
        case .alternating: return index % 2 == 0 ? number : -number
        // Each block is less than the one before: as many runs as there can be.
        case .blocks: return -(number / 1_024) * 1_024_000 + number % 1_024 * 3
        case .ranges: return -(number / 600) * 1_000 + number % 600
        }
      }
    }
  }

  @Test(arguments: Order.allCases, [1 << 30, 60_000, 4_096])
  func keysAreKeptInAnyOrder(_ order: Order, memory: Int) throws {
    let seed = UInt64(memory)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryDirectory()
    let storage = KeyStorage(memory: memory, temporaryFolder: folder.path)
    var checked = CheckedDirectory(storage: storage, "seed \(seed), \(order)")
    // Where all runs overlap and nothing stays in memory, each look-up reads many blocks.
    let isSlow = memory == 4_096 && (order == .random || order == .dense)
    let keys = order.keys(isSlow ? 6_000 : 20_000, using: &random)
    var runCount = 0
    for (index, key) in keys.enumerated() {
      try checked.append(key, UInt16(random.below(3)), 1 + UInt32(random.below(300)))
      runCount = max(runCount, checked.directory.runCount)
      // While it grows, now and then: a key of before, and one that is hardly there.
      guard index % 3 == 0 else { continue }
      try checked.check(keys[random.below(index + 1)])
      try checked.check(key &+ Int64(random.below(5)))
    }
    #expect(order == .blocks || order == .ranges ? runCount == 16 : runCount <= 16)
    #expect((storage.spilledCount > 0) == (memory < 1 << 20))
    #expect(try folder.contents() == [])
    try checked.checkAll(absent: [.min, .max])
  }

  @Test(arguments: [1 << 30, 4_096]) func uniformPayloadIsKeptInAnyOrder(_ memory: Int) throws {
    for order in Order.allCases {
      var random = SeededGenerator(seed: 77)
      let storage = KeyStorage(memory: memory)
      var checked = CheckedDirectory(storage: storage, "seed 77, \(order)")
      for key in order.keys(8_000, using: &random) { try checked.append(key, 5, 1) }
      try checked.checkAll(absent: [.min, .max])
    }
  }

  /// Directories share one file and one cache.
  @Test func directoriesDoNotMixUp() throws {
    var random = SeededGenerator(seed: 5)
    let storage = KeyStorage(memory: 4_096)
    var all = (0..<5).map { CheckedDirectory(storage: storage, "seed 5, directory \($0)") }
    for index in 0..<5_000 {
      for place in all.indices {
        try all[place].append(
          Int64(index * (3 + place)), UInt16(place), UInt32(random.below(1_000)))
      }
      let place = random.below(all.count)
      try all[place].check(Int64(random.below(index + 1) * (3 + place)))
    }
    for checked in all { try checked.checkAll(absent: [-1, 1]) }
  }

  @Test func aReadingBodyMayLookUp() throws {
    let storage = KeyStorage(memory: 4_096)
    let directory = KeyDirectory(storage: storage)
    let count = Int64(10_000)
    for key in 0..<count {
      _ = try directory.append(key: key * 2, entity: 1, version: UInt32(key))
    }
    var next: Int64 = 0
    try directory.forEach { key, entry in
      #expect(key == next && entry.version == UInt32(key / 2))
      let other = (count - 1) * 2 - key
      let found = try directory.find(other)
      #expect(found?.version == UInt32(other / 2))
      next += 2
    }
    #expect(next == count * 2)
  }

  @Test func missingFolderIsATypedError() throws {
    let folder = try TemporaryDirectory()
    let storage = KeyStorage(memory: 0, temporaryFolder: folder.file("missing"))
    let directory = KeyDirectory(storage: storage)
    for key in 0..<Int64(1_024) {
      #expect(try directory.append(key: key * 3, entity: 1, version: 1))
    }
    for _ in 0..<2 {
      let error = #expect(throws: CofferError.self) {
        try directory.append(key: 10_000, entity: 1, version: 1)
      }
      #expect(error?.code == .temporaryStorageFailed)
      #expect(error?.place.path == folder.file("missing"))
    }
    // All keys still exist.
    #expect(directory.count == 1_024)
    #expect(directory.maximum == 3_069)
    #expect(try directory.find(3)?.entity == 1)
    #expect(try directory.find(10_000) == nil)
  }
}
