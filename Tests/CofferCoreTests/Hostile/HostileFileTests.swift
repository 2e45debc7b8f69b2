internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A file whose bytes lie: its header, its companions, its pages.
@Suite struct HostileFileTests {
  @Test(
    arguments: [
      (16, [0, 1]), (16, [2, 0]), (16, [0, 3]), (18, [3, 3]), (18, [2, 2]), (20, [255]), (20, [64]),
      (21, [1, 1, 1]), (28, [255, 255, 255, 254]), (28, [0, 0, 0, 0]), (28, [0, 0, 0, 5]),
      (32, [0, 0, 0, 5, 255, 255, 255, 255]), (44, [0, 0, 0, 9]), (52, [255, 255, 255, 255]),
      (56, [0, 0, 0, 2]), (56, [0, 0, 0, 9]), (60, [127, 255, 255, 255, 255, 255, 255, 255]),
    ] as [(Int, [UInt8])])
  func aHeaderThatLiesEndsWithAResult(_ offset: Int, _ bytes: [UInt8]) throws {
    let sample = try SampleCopy(journal: .delete)
    let url = URL(fileURLWithPath: sample.path)
    var data = try Data(contentsOf: url)
    data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try data.write(to: url)
    #expect(try HostileOutcome(of: sample.path).contradictions == [])
  }

  /// Pipes would be waited for, devices have no end.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func companionsThatAreNoFilesAreNotOpened(_ ending: String) throws {
    let sample = try SampleCopy()
    let companion = sample.path + ending
    try? FileManager.default.removeItem(atPath: companion)
    #expect(unsafe mkfifo(companion, 0o600) == 0)
    let codes = Set(try HostileOutcome(of: sample.path).results.values)
    #expect(codes == ["read-failed"])
    try FileManager.default.removeItem(atPath: companion)
    try FileManager.default.createSymbolicLink(
      atPath: companion, withDestinationPath: "/dev/zero")
    #expect(errorCode { _ = try PersistentStore(readingFrom: sample.path) } == "read-failed")
  }

  @Test func aLogOfNonsenseIsReported() throws {
    let sample = try SampleCopy(journal: .wal)
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<100_000).map { _ in UInt8(random.below(256)) }
    try Data(bytes).write(to: URL(fileURLWithPath: sample.path + "-wal"))
    let found = try HostileOutcome(of: sample.path)
    #expect(found.findings.contains("damaged-log"))
    #expect(found.results["export"] == "damaged-store")
    #expect(found.results["inspect"] == "done")
  }

  /// The last frame of a log contains the number of pages of the database.
  @Test func aLogThatTellsOfFourBillionPagesEndsWithAResult() throws {
    let sample = try SampleCopy(journal: .wal)
    let url = URL(fileURLWithPath: sample.path)
    let log = URL(fileURLWithPath: sample.path + "-wal")
    var (main, frames) = (Data(), Data())
    do {
      let database = try GeneratorDatabase(path: sample.path)
      try database.run("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 1")
      (main, frames) = (try Data(contentsOf: url), try Data(contentsOf: log))
    }
    try main.write(to: url)
    var bytes = Array(frames)
    try #require(bytes.count == 32 + 24 + 4096)
    bytes.replaceSubrange(36..<40, with: [255, 255, 255, 254])
    var sums = Self.sums(bytes[0..<24], (0, 0))
    sums = Self.sums(bytes[32..<40], sums)
    sums = Self.sums(bytes[56...], sums)
    for (index, value) in [sums.0, sums.1].enumerated() {
      bytes.replaceSubrange((48 + index * 4)..<(52 + index * 4), with: Self.bytes(value))
    }
    try Data(bytes).write(to: log)
    let found = try HostileOutcome(of: sample.path)
    #expect(found.isDone, "\(found.results)")
  }

  /// A number as big-endian bytes.
  private static func bytes(_ number: UInt32) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }

  /// The checksums of a log whose words are little-endian.
  private static func sums(
    _ bytes: ArraySlice<UInt8>, _ before: (UInt32, UInt32)
  ) -> (UInt32, UInt32) {
    var (first, second) = before
    let all = Array(bytes)
    for start in stride(from: 0, to: all.count, by: 8) {
      func word(_ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(all[at + $1]) << (8 * UInt32($1)) }
      }
      first = first &+ word(start) &+ second
      second = second &+ word(start + 4) &+ first
    }
    return (first, second)
  }

  /// A value whose pages are chained to a circle, and that claims to be longer than the file.
  @Test func chainsOfPagesInACircleEndWithAResult() throws {
    let sample = try SampleCopy(
      journal: .delete,
      changedBy: "UPDATE Z_METADATA SET Z_UUID = printf('%.*c', 40000, 'x')")
    let url = URL(fileURLWithPath: sample.path)
    let original = try Data(contentsOf: url)
    var changed = 0
    for page in 1..<original.count / 4096 {
      let start = page * 4096
      // A page of a chain begins with the number of the next one; these are full of one letter.
      guard original[(start + 100)..<(start + 200)].allSatisfy({ $0 == UInt8(ascii: "x") }) else {
        continue
      }
      var data = original
      let number = UInt32(page + 1)
      data.replaceSubrange(start..<start + 4, with: Self.bytes(number))
      try data.write(to: url)
      #expect(try HostileOutcome(of: sample.path).results["inspect"] != nil)
      changed += 1
      if changed == 3 { break }
    }
    #expect(changed > 0)
  }
}
