internal import CoreDataStore
internal import Foundation
internal import StoreGenerator

extension FuzzTarget {
  /// The headers of a database and of its shared memory.
  static let databaseHeaders = FuzzTarget(
    "headers", "the headers of a database and of its -shm", maximumSize: 4096,
    words: ["SQLite format 3\u{0}"],
    seeds: {
      try [Array(FuzzSamples.smallStore.get().prefix(100)), sharedMemory(frames: 3)]
    }
  ) { input in
    if let header = SharedMemoryHeader(input) {
      try hold(header.walLength >= 0, "a log of a negative length")
    }
    _ = try DatabaseHeader(input, place: "input")
  }

  /// The files next to a store: the input is one of them; its first byte chooses it.
  static let companions = FuzzTarget(
    "companions", "a -wal, -journal or -shm beside a sound store; opening it changes nothing",
    maximumSize: 1 << 15, words: ["\u{d9}\u{d5}\u{5}\u{f9}"],
    seeds: {
      [
        [0] + LogMutation.log(frames: 4), [0] + LogMutation.log(pageSize: 4096, frames: 2),
        [1] + journal, [1] + journal + superJournal, [2] + sharedMemory(frames: 3),
      ]
    },
    change: { bytes, random in
      guard bytes.first == 0 else { throw BrokenLaw("no log") }
      var log = Array(bytes.dropFirst())
      try LogMutation.apply(to: &log, &random)
      bytes = [0] + log
    }
  ) { input in
    guard let first = input.first else { return }
    let suffix = ["-wal", "-journal", "-shm"][Int(first) % 3]
    let folder = try FuzzFolder.current().empty("companions")
    let (path, content) = (folder + "/Store.sqlite", Array(input.dropFirst()))
    let store = try FuzzSamples.smallStore.get()
    try Data(store).write(to: URL(fileURLWithPath: path))
    try Data(content).write(to: URL(fileURLWithPath: path + suffix))
    if suffix == "-wal" {
      let defects = try [WriteAheadLog(path: path + suffix).defect(), nil]
      let again = try WriteAheadLog(path: path + suffix).defect()
      try hold(defects[0] == again, "a log has two defects")
    }
    let opened = Result { try PersistentStore(readingFrom: path) }
    // It waits until a later change would show in time stamps: too long for every input.
    if input.count & 7 == 0 { try follow(path, opened) }
    try hold(
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == store,
      "opening a store changed it")
    try hold(
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + suffix))) == content,
      "opening a store changed its \(suffix)")
    try hold(
      try FuzzFolder.current().names(in: folder) == ["Store.sqlite", "Store.sqlite" + suffix],
      "opening a store left files behind")
    _ = try opened.get()
  }

  /// Reads a store and its log without SQLite, with the same result as SQLite.
  private static func follow(
    _ path: String, _ opened: Result<PersistentStore, any Error>
  ) throws {
    guard let store = try? opened.get(),
      let follower = try? StoreFollower(of: path, copiesIn: nil, waiting: 0),
      let copy = try? PersistentStore(stateOf: path, in: follower.after)
    else { return }
    let rows = [store, copy].map { store in
      store.use { database in
        try? database.rows("SELECT * FROM Z_PRIMARYKEY, Z_METADATA")
      }
    }
    try hold(rows[0] == rows[1], "a store has two states")
  }

  /// A rollback journal of no pages.
  private static var journal: [UInt8] {
    var bytes: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    bytes += [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 40, 0, 0, 2, 0, 0, 0, 16, 0]
    return bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
  }

  /// The end of a journal that names a super-journal which is not there.
  private static var superJournal: [UInt8] {
    let name = Array("/nowhere/x-mj".utf8)
    let sum = name.reduce(0 as UInt32) { $0 + UInt32($1) }
    return [0, 0, 0, 0] + name + [0, 0, 0, UInt8(name.count)]
      + [0, 0, UInt8(sum >> 8 & 255), UInt8(sum & 255)]
      + [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  }

  /// The header of a -shm for a log of some frames.
  private static func sharedMemory(frames: UInt32) -> [UInt8] {
    var words: [UInt32] = [3_007_000, 0, 1, 1 | 4096 << 16, frames, 9, 0, 0, 1, 2]
    var sum: (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 10, by: 2) {
      sum.0 = sum.0 &+ words[index] &+ sum.1
      sum.1 = sum.1 &+ words[index + 1] &+ sum.0
    }
    words += [sum.0, sum.1]
    return (words + words + [0]).flatMap { word in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }
}
