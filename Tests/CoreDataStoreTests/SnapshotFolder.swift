internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import Testing

@testable internal import CoreDataStore

/// A folder for one test with a store in it, and a folder for private copies; both are removed at
/// the end.
final class SnapshotFolder {
  let root: URL
  /// The folder of the store.
  let path: String
  /// The folder where copies are made, empty before and after.
  let copies: String
  /// The path of the store.
  let store: String

  init(store name: String = "Notes.sqlite") throws {
    root = FileManager.default.temporaryDirectory
      .appending(path: "coffer-test-\(UUID().uuidString)").resolvingSymlinksInPath()
    path = root.appending(path: "source").path
    copies = root.appending(path: "copies").path
    store = path + "/" + name
    for folder in [path, copies] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Options that make copies in the folder of the test.
  func options(_ preference: SnapshotOptions.Preference = .inPlace, busyTimeout: Double = 20)
    -> SnapshotOptions
  {
    SnapshotOptions(preference: preference, busyTimeout: busyTimeout, temporaryFolder: copies)
  }

  /// What a file was at one moment, byte for byte.
  struct Record: Equatable, CustomStringConvertible {
    var bytes: Data
    var modified: Int64
    var inode: UInt64
    var owner: UInt32

    var description: String { "\(bytes.count) bytes, \(modified), inode \(inode), of \(owner)" }
  }

  /// The files of the store's folder by name.
  ///
  /// The bytes are read by plain calls: not to be used while this process holds locks there.
  func records(_ folder: String? = nil, without left: Set<String> = []) throws -> [String: Record] {
    let folder = folder ?? path
    var found: [String: Record] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      if left.contains(name) { continue }
      let state = try #require(try FileState.look(at: folder + "/" + name))
      found[name] = Record(
        bytes: try Data(contentsOf: URL(filePath: folder + "/" + name)), modified: state.modified,
        inode: state.inode, owner: state.owner)
    }
    return found
  }

  /// The names in the folder of the store, in order.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The names in the folder for copies.
  func copyNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: copies)
  }
}

/// Python programs, which use SQLite in another process than the tests.
enum Python {
  /// A failed program.
  struct Failure: Error {
    let status: Int32
    let text: String
  }

  /// What programs begin with: `path` is the store; `make` writes a small store like Core Data's;
  /// `age` lets it look as if it was written an hour ago; `die` ends the process as a crash does.
  static let prelude = """
    import os, signal, sqlite3, sys
    path = sys.argv[1]
    def connect(timeout=0):
      return sqlite3.connect(path, timeout=timeout, isolation_level=None)
    def make(mode, rows=1000):
      c = connect()
      c.execute('pragma journal_mode=' + mode)
      c.execute('pragma wal_autocheckpoint=0')
      c.execute('begin')
      c.execute('create table Z_METADATA (Z_VERSION integer primary key, Z_UUID varchar(255), Z_PLIST blob)')
      c.execute('create table Z_PRIMARYKEY (Z_ENT integer primary key, Z_NAME varchar, Z_SUPER integer, Z_MAX integer)')
      c.execute('create table ZNOTE (Z_PK integer primary key, ZTEXT varchar, ZCOUNT integer)')
      c.executemany('insert into ZNOTE values (?, ?, 1)', ((i, 'note %d ' % i * 20) for i in range(rows)))
      c.execute('commit')
      return c
    def age(seconds=3600):
      import time
      os.utime(path, (time.time() - seconds,) * 2)
    def say(text):
      print(text, flush=True)
    def die():
      sys.stdout.flush()
      os.kill(os.getpid(), signal.SIGKILL)

    """

  /// Runs a program to its end; its output without the last line end.
  @discardableResult
  static func run(_ program: String, _ arguments: String..., mayDie: Bool = false) throws -> String
  {
    let process = PythonProcess(program, arguments)
    try process.start()
    let text = process.rest()
    process.wait()
    guard mayDie || process.status == 0 else {
      throw Failure(status: process.status, text: text)
    }
    return text.trimmingCharacters(in: .newlines)
  }
}

/// A Python program that runs alongside the test and communicates through pipes.
final class PythonProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  init(_ program: String, _ arguments: [String]) {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Python.prelude + program] + arguments
    process.standardInput = input
    process.standardOutput = output
  }

  deinit { if process.isRunning { kill() } }

  var status: Int32 { process.terminationStatus }

  func start() throws { try process.run() }

  /// Waits for a line of the program; nil at its end.
  func line() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending = Data(pending[(end + 1)...])
        return line
      }
      let more = read()
      if more.isEmpty { return nil }
      pending += more
    }
  }

  /// Everything that the program still says.
  func rest() -> String {
    while case let more = read(), !more.isEmpty { pending += more }
    return String(decoding: pending, as: UTF8.self)
  }

  /// What the program has said, waiting for something; empty at its end.
  private func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      return Array(bytes.prefix(max(0, count)))
    }
  }

  /// Sends the program a line.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  func wait() { process.waitUntilExit() }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    wait()
  }
}

extension StoreSnapshot {
  /// The first value of a query.
  @discardableResult
  func value(_ sql: String) throws -> SQLiteValue? {
    try use { database throws(CofferError) in try database.value(sql) }
  }
}
