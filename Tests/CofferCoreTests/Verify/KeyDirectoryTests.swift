internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// Small cases, all of them, and the extremes of the numbers.
@Suite struct KeyDirectoryTests {
  @Test func everyShortSequenceIsKept() throws {
    let keys: [Int64] = [.min, -1, 0, 1, .max]
    for length in 0...6 {
      var count = 1
      for _ in 0..<length { count *= keys.count }
      for number in 0..<count {
        var rest = number
        var checked = CheckedDirectory()
        for _ in 0..<length {
          // The payload is one of two, so that ranges go on and end.
          try checked.append(keys[rest % keys.count], 1, UInt32(rest % 2))
          rest /= keys.count
        }
        try checked.checkAll(absent: keys)
      }
    }
  }

  @Test func noKeysAreNone() throws {
    let directory = KeyDirectory(storage: KeyStorage())
    #expect(directory.count == 0)
    #expect(directory.maximum == nil)
    for key in [Int64.min, 0, .max] { #expect(try directory.find(key) == nil) }
    try directory.forEach { key, _ in Issue.record("\(key)") }
    try directory.finish()
    #expect(directory.runCount == 0)
  }

  @Test func theFirstOfTwoIsKept() throws {
    let directory = KeyDirectory(storage: KeyStorage())
    #expect(try directory.append(key: 7, entity: 1, version: 2))
    #expect(try !directory.append(key: 7, entity: 3, version: 4))
    #expect(directory.count == 1)
    #expect(try directory.find(7) == KeyDirectory.Entry(entity: 1, version: 2))
  }

  @Test(arguments: [-1_500, 0, 1, Int64.min, Int64.max - 3_999])
  func contiguousKeysNeedNoMemory(_ start: Int64) throws {
    let storage = KeyStorage()
    let directory = KeyDirectory(storage: storage)
    for offset in 0..<Int64(4_000) {
      #expect(try directory.append(key: start + offset, entity: 9, version: 1))
    }
    #expect(directory.maximum == start + 3_999)
    #expect(storage.used == 0)
    try directory.finish()
    #expect(storage.used == MemoryLayout<KeyBlock>.stride)
    for offset in 0..<Int64(4_000) {
      #expect(
        try directory.find(start + offset) == KeyDirectory.Entry(entity: 9, version: 1))
    }
    #expect(try directory.find(start &- 1) == nil)
    #expect(try directory.find(start &+ 4_000) == nil)
    #expect(try !directory.append(key: start + 1, entity: 9, version: 1))
  }

  /// Ranges go on after a hole, and a closed range goes on where the next one follows.
  @Test func closedRangesAreJoined() throws {
    let storage = KeyStorage()
    var checked = CheckedDirectory(storage: storage)
    for key in 1...Int64(10_000) {
      try checked.append(key, 1, 1)
      if key % 777 == 0 { try checked.directory.finish() }
    }
    try checked.directory.finish()
    #expect(storage.used == MemoryLayout<KeyBlock>.stride)
    for key in 10_002...Int64(20_000) { try checked.append(key, 1, 1) }
    try checked.directory.finish()
    // The keys after the hole begin a range of their own.
    #expect(storage.used == 2 * MemoryLayout<KeyBlock>.stride)
    try checked.checkAll(absent: [0, 10_001, 20_001])
  }

  @Test func payloadsOfAllSizesAreKept() throws {
    for versions in [[1, 2], [0, 255], [5, 260], [0, 65_536], [0, .max], [.max, 1]] as [[UInt32]] {
      for entities in [[4, 4], [0, 1], [10, 265], [10, 266], [0, .max]] as [[UInt16]] {
        for step in [1, 3, 300, 70_000, 1 << 33, 1 << 50] as [Int64] {
          var checked = CheckedDirectory()
          for index in 0..<1_030 {
            try checked.append(
              -Int64(500) * step + Int64(index) * step, entities[index % 3 / 2],
              versions[index % 7 / 6])
          }
          try checked.checkAll(absent: [-500 * step - 1, 600 * step])
        }
      }
    }
  }

  @Test func keysHaveTheBytesThatTheyNeed() throws {
    for (step, bytes) in [(2, 2), (60, 2), (300, 3), (1 << 50, 8)] as [(Int64, Int)] {
      let storage = KeyStorage(memory: 1 << 30)
      let directory = KeyDirectory(storage: storage)
      for index in 0..<Int64(8_192) {
        _ = try directory.append(key: index * step, entity: 1, version: 1)
      }
      try directory.finish()
      let block = 1_024 * bytes + 8 + MemoryLayout<KeyBlock>.stride
      #expect(storage.used == 8 * block, "step \(step)")
    }
  }

  @Test func memoryIsGivenBack() throws {
    let storage = KeyStorage()
    for _ in 0..<2 {
      let directory = KeyDirectory(storage: storage)
      for index in 0..<Int64(8_192) {
        _ = try directory.append(key: index * 1_000, entity: 1, version: 1)
      }
      #expect(storage.used > 8_192)
    }
    #expect(storage.used == 0)
  }
}
