internal import Testing

@testable internal import CofferCore

/// A key directory, together with a dictionary that has the same keys.
struct CheckedDirectory {
  let directory: KeyDirectory
  private(set) var expected: [Int64: KeyDirectory.Entry] = [:]
  /// The message if they differ.
  private let comment: Comment

  init(storage: KeyStorage = KeyStorage(), _ comment: Comment = "") {
    directory = KeyDirectory(storage: storage)
    self.comment = comment
  }

  /// Adds a key to both.
  mutating func append(_ key: Int64, _ entity: UInt16, _ version: UInt32) throws {
    let isNew = expected[key] == nil
    if isNew { expected[key] = KeyDirectory.Entry(entity: entity, version: version) }
    let wasNew = try directory.append(key: key, entity: entity, version: version)
    if wasNew != isNew { Issue.record("\(comment) key \(key): \(wasNew)") }
  }

  /// Looks a key up in both.
  func check(_ key: Int64) throws {
    let found = try directory.find(key)
    if found != expected[key] {
      Issue.record("\(comment) key \(key): \(String(describing: found))")
    }
  }

  /// Compares everything, before the last block is closed and after it.
  func checkAll(absent: [Int64] = []) throws {
    #expect(directory.count == expected.count, comment)
    #expect(directory.maximum == expected.keys.max(), comment)
    for _ in 0..<2 {
      for key in absent { try check(key) }
      for key in expected.keys { try check(key) }
      var keys: [Int64] = []
      try directory.forEach { key, entry in
        keys.append(key)
        if expected[key] != entry { Issue.record("\(comment) key \(key): \(entry)") }
      }
      #expect(keys == expected.keys.sorted(), comment)
    }
    #expect(directory.count == expected.count, comment)
  }
}
