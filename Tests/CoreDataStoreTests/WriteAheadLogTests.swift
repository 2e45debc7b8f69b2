internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// Defects of a log, and harmless remains.
@Suite struct WriteAheadLogTests {
  /// A log with so many transactions that each change one page.
  private final class Log {
    let folder: TemporaryDirectory
    let path: String
    let database: GeneratorDatabase

    init(transactions: Int) throws {
      folder = try TemporaryDirectory()
      path = folder.file("a.sqlite")
      database = try GeneratorDatabase(path: path)
      _ = try database.rows("PRAGMA journal_mode = WAL")
      try database.run("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)")
      _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      for number in 0..<transactions { try database.run("INSERT INTO t VALUES (\(number))") }
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path + "-wal"))) }

    /// What is said of other bytes in the place of the log's.
    func defect(_ bytes: [UInt8]) throws -> LogDefect? {
      try WriteAheadLog(path: try folder.write(bytes, to: "log")).defect()
    }
  }

  private static let frame = 24 + 4096

  @Test func everyDamagedByteBeforeTheLastFrameIsFound() throws {
    let log = try Log(transactions: 4)
    let bytes = try log.bytes()
    let count = (bytes.count - 32) / Self.frame
    #expect(count == 4)
    #expect(try log.defect(bytes) == nil)
    for frame in 0..<count - 1 {
      // The number of the page, its count, a salt, a checksum, the first and the last byte of it.
      for offset in [3, 7, 8, 16, 23, 24, Self.frame - 1] {
        var damaged = bytes
        damaged[32 + frame * Self.frame + offset] ^= 0x10
        // What checksums are made from counts for two frames.
        let isEnough = frame < count - 2 || ![16, 23].contains(offset)
        let expected = LogDefect.frame(
          Int64(frame + 1), of: 4, byteCount: Int64((4 - frame) * Self.frame))
        #expect(try log.defect(damaged) == (isEnough ? expected : nil), "\(frame) \(offset)")
      }
    }
  }

  @Test func theLastTransactionMayBeUnfinished() throws {
    let log = try Log(transactions: 3)
    var bytes = try log.bytes()
    for cut in [1, 100, Self.frame, Self.frame + 1] {
      #expect(try log.defect(Array(bytes.dropLast(cut))) == nil)
    }
    bytes[bytes.count - 1] ^= 1
    #expect(try log.defect(bytes) == nil)
  }

  @Test func aWrongHeaderIsFound() throws {
    let log = try Log(transactions: 1)
    let bytes = try log.bytes()
    for offset in 0..<32 {
      var damaged = bytes
      damaged[offset] ^= 0x40
      #expect(try log.defect(damaged) == .header(byteCount: Int64(bytes.count)), "\(offset)")
    }
    #expect(try log.defect(Array(bytes.prefix(32))) == nil)
    #expect(try log.defect([]) == nil)
  }

  @Test func framesOfAnOlderRoundAreNormal() throws {
    let log = try Log(transactions: 6)
    _ = try log.database.rows("PRAGMA wal_checkpoint(RESTART)")
    try log.database.run("INSERT INTO t VALUES (1)")
    let bytes = try log.bytes()
    #expect(bytes.count == 32 + 6 * Self.frame)
    #expect(try log.defect(bytes) == nil)
  }

  /// A transaction that was too large for the cache leaves frames behind when it is rolled back.
  @Test func framesOfATransactionThatWasRolledBackAreNormal() throws {
    let log = try Log(transactions: 1)
    try log.database.run("PRAGMA cache_size = 5; BEGIN")
    for _ in 0..<60 { try log.database.run("INSERT INTO t VALUES (zeroblob(3000))") }
    try log.database.run("ROLLBACK; INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")
    let bytes = try log.bytes()
    #expect(bytes.count > 32 + 10 * Self.frame)
    #expect(try log.defect(bytes) == nil)
  }
}
